#pragma once

#include "lacuna/dynamic/schema/lexer.h"
#include "lacuna/dynamic/schema/word_reader.h"

namespace lacuna::schema {

/// Walks over the words of a level file; what all parts of the parser share.
class TokenReader : public WordReader<Lexer> {
 public:
  explicit TokenReader(const Source& source) : WordReader(source, Lexer(source), "file") {}

  /// A name that is no word of the language. `what` says whose: "a field".
  Name name(std::string_view what);
  /// The same of what functions know by its name alone, so that it is called like none of their words either.
  Name definition(std::string_view what);
  /// A whole number from 0 to largest_number.
  Number digits();
  /// What stands between the bracket that comes next and its match.
  Place raw(std::string_view open, std::string_view why);

 private:
  [[noreturn]] void fail_reserved(const Token& word, std::string_view what) const;
};

}  // namespace lacuna::schema

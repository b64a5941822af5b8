#pragma once

#include "lacuna/dynamic/schema/scanner.h"

namespace lacuna::schema {

/// Reads a level file word by word, skipping spaces and comments; its symbols are : { } [ ] ( ) , = * and ->. On
/// demand, because functions are written in another language: those are skipped whole by `raw`.
class Lexer : private Scanner {
 public:
  explicit Lexer(const Source& source) : Scanner(source, {0, source.text.size()}) {}

  /// The next word; at the end of the text, again and again, an End. Throws Error at what is no word.
  Token next();
  /// What stands between the bracket `open`, which was the last word, and the one that matches it; goes on behind that.
  /// Brackets in comments, strings and character literals do not count. Throws Error where brackets do not match or are
  /// nested too deep for whoever reads the text later.
  Place raw(const Token& open);

 private:
  Token number();
  void skip_quoted();
  [[noreturn]] void unknown() const;
};

}  // namespace lacuna::schema

#pragma once

#include <string_view>
#include <utility>

#include "lacuna/format/schema/lexer.h"

namespace lacuna::schema {

/// Walks over the words of a level file with one word of lookahead; what all parts of the parser share.
class TokenReader {
 public:
  explicit TokenReader(const Source& source) : source_(source), lexer_(source), token_(lexer_.next()) {}

  const Source& source() const { return source_; }
  const Token& peek() const { return token_; }
  bool at_end() const { return token_.kind == TokenKind::End; }

  Token take() { return std::exchange(token_, lexer_.next()); }
  bool take_if(std::string_view word) {
    const bool there = token_.is(word);
    if (there) take();
    return there;
  }
  /// Throws Error unless the next word is `symbol`; `why` says where it belongs: "after the name of a field".
  Token expect(std::string_view symbol, std::string_view why);
  /// A name that is no word of the language. `what` says whose: "a field".
  Name name(std::string_view what);
  /// A whole number from 0 to largest_number.
  Number digits();
  /// What stands between the bracket that comes next and its match.
  Place raw(std::string_view open, std::string_view why);

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
    fail_at(source_, token_.where, reason, std::forward<Args>(args)...);
  }
  /// The next word as messages show it: quoted, or "the end of the file".
  std::string found() const;

 private:
  const Source& source_;
  Lexer lexer_;
  Token token_;
};

}  // namespace lacuna::schema

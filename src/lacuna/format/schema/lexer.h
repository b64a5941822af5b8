#pragma once

#include <string_view>

#include "lacuna/format/schema/source.h"

namespace lacuna::schema {

enum class TokenKind : std::uint8_t { Name, Number, Symbol, End };

/// One word of a schema. Symbols are : { } [ ] ( ) , = * and ->.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // points into the source
  Place where;
  bool is(std::string_view word) const { return kind != TokenKind::End && text == word; }
};

/// Reads a level file word by word, skipping spaces and comments (// to the end of a line, /* to */). On demand,
/// because functions are written in another language: those are skipped whole by `raw`.
class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source) {}

  /// The next word; at the end of the text, again and again, an End. Throws Error at what is no word.
  Token next();
  /// What stands between the bracket `open`, which was the last word, and the one that matches it; goes on behind that.
  /// Brackets in comments, strings and character literals do not count. Throws Error where brackets do not match or are
  /// nested too deep for whoever reads the text later.
  Place raw(const Token& open);

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.text.size() ? source_.text[at_ + ahead] : '\0';
  }
  bool at_end() const { return at_ >= source_.text.size(); }
  Place place(std::size_t begin) const { return {{begin, at_}}; }
  Token make(TokenKind kind, std::size_t begin) const;
  Token name();
  Token number();
  bool skip_comment();
  void skip_spaces();
  void skip_quoted();
  [[noreturn]] void unknown() const;

  const Source& source_;
  std::size_t at_ = 0;
};

}  // namespace lacuna::schema

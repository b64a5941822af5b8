#pragma once

#include "lacuna/format/schema/lexer.h"

namespace lacuna::schema {

/// Reads a function of a level file word by word. The brackets in its text match (Lexer::raw saw to it).
class CodeLexer {
 public:
  /// Reads what lies in `range` of the source.
  CodeLexer(const Source& source, SourceRange range) : source_(source), at_(range.begin), end_(range.end) {}

  /// The next word; at the end, again and again, an End. Throws Error at what is no word.
  Token next();

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < end_ ? source_.text[at_ + ahead] : '\0'; }
  Token make(TokenKind kind, std::size_t begin) const;
  void skip_spaces();
  [[noreturn]] void unknown() const;

  const Source& source_;
  std::size_t at_;
  std::size_t end_;
};

}  // namespace lacuna::schema

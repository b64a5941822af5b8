#pragma once

#include <string_view>

#include "lacuna/dynamic/schema/source.h"

namespace lacuna::schema {

enum class TokenKind : std::uint8_t { Name, Number, Symbol, End };

/// One word of a level file.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // points into the source
  Place where;
  bool is(std::string_view word) const { return kind != TokenKind::End && text == word; }
};

// <cctype> depends on the locale and is undefined for bytes above 127.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Where a reader of a level file is in its text, and what schemas and functions have in common: names, spaces, and
/// comments (// to the end of a line, /* to */).
class Scanner {
 protected:
  /// Reads what lies in `range` of the source.
  Scanner(const Source& source, SourceRange range) : source_(source), at_(range.begin), end_(range.end) {}

  char peek(std::size_t ahead = 0) const { return at_ + ahead < end_ ? source_.text[at_ + ahead] : '\0'; }
  bool at_end() const { return at_ >= end_; }
  Place place(std::size_t begin) const { return {{begin, at_}}; }
  /// A token from `begin` up to here.
  Token make(TokenKind kind, std::size_t begin) const {
    return {kind, source_.text.substr(begin, at_ - begin), place(begin)};
  }
  /// One past the text, so that the caret stands where something is missing.
  Token end() const { return {TokenKind::End, {}, {{end_, end_ + 1}}}; }
  /// The name that begins here.
  Token name();
  /// Throws Error at a comment without an end.
  bool skip_comment();
  /// Skips spaces and comments.
  void skip_spaces();
  /// Throws Error at a character that means nothing in `whole`: "a schema".
  [[noreturn]] void fail_unknown(std::string_view whole) const;

  const Source& source_;
  std::size_t at_;
  std::size_t end_;
};

}  // namespace lacuna::schema

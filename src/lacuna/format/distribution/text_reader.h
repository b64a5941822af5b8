#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "lacuna/support/error.h"

namespace lacuna::distribution {

/// Goes through a user's text, leaving out spaces, and points at what is wrong with it.
class TextReader {
 public:
  /// `what`: what the text is, for messages: "machine".
  TextReader(std::string_view what, std::string_view text) : what_(what), text_(text) {}

  bool at_end() {
    skip_spaces();
    return at_ == text_.size();
  }
  /// The next character that is no space; 0 at the end.
  char peek() { return at_end() ? '\0' : text_[at_]; }
  bool take(char c);
  bool take(std::string_view word);
  /// The next character, for messages; a byte of what is no plain ASCII.
  std::string found() {
    const auto byte = static_cast<unsigned char>(peek());
    return byte < 0x80 ? fmt::format("'{}'", peek()) : fmt::format("byte 0x{:02X}", byte);
  }
  /// Throws Error unless `word` comes next.
  void expect(std::string_view word, std::string_view after);
  /// The letters and digits that come next, from a letter on; empty where there are none.
  std::string_view word();
  /// A number from 0 to 2^62. Throws Error where there is none, naming what it is for.
  std::int64_t number(std::string_view what_for);

  /// Behind what was read last.
  std::size_t at() const { return read_; }
  /// Where the next character that is no space is.
  std::size_t next() {
    skip_spaces();
    return at_;
  }
  std::string_view text() const { return text_; }

  template <typename... Args>
  [[noreturn]] void fail(SourceRange where, fmt::format_string<Args...> message, Args&&... args) const {
    throw Error(
        fmt::format("{}, column {}: {}", what_, where.begin + 1, fmt::format(message, std::forward<Args>(args)...)),
        {where.begin, std::max(where.end, where.begin + 1)}, std::string(text_));
  }
  /// Fails at the next character.
  template <typename... Args>
  [[noreturn]] void fail_here(fmt::format_string<Args...> message, Args&&... args) {
    skip_spaces();
    fail({at_, at_ + 1}, message, std::forward<Args>(args)...);
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::string_view what_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t read_ = 0;
};

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace lacuna::distribution

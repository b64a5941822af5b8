#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lacuna/support/error.h"

namespace lacuna {

/// A file's contents, or some whole lines of it, with the name that messages give it. The bytes need not end with a
/// newline or a NUL.
struct Text {
  std::string name;
  std::string_view bytes;
  std::size_t lines_before = 0;  // of the file, before the bytes
};

/// A half-open byte range of a Text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The number of the line that holds the byte at `offset`, counted from 1.
std::size_t line_number(const Text& text, std::size_t offset);

/// Throws Error "NAME:LINE: reason" that carries the line, with `where` underlined. Call it from where the mistake is
/// found.
[[noreturn]] void fail_at(const Text& text, TextRange where, const std::string& reason);

/// Throws Error "NAME: reason", for what no line is to blame for.
[[noreturn]] void fail_in(const Text& text, const std::string& reason);

/// A piece of a file as a message shows it: in quotes, control and non-ASCII bytes escaped, cut when long.
std::string quoted(std::string_view token);

/// Walks over the lines of a text and the blank-separated words of a line. A line ends at a newline or at the end of
/// the text; a carriage return counts as a blank.
class TextCursor {
 public:
  TextCursor(const Text& text, std::size_t begin, std::size_t end) : text_(&text), position_(begin), end_(end) {}
  explicit TextCursor(const Text& text, std::size_t begin = 0) : TextCursor(text, begin, text.bytes.size()) {}

  bool at_end() const { return position_ >= end_; }
  std::size_t position() const { return position_; }
  /// The next line without its newline; the cursor moves past it.
  TextRange next_line();
  /// The next word before the end; an empty range at the end when there is none.
  TextRange next_word();
  std::string_view view(TextRange range) const { return text_->bytes.substr(range.begin, range.end - range.begin); }

 private:
  const Text* text_;
  std::size_t position_;
  std::size_t end_;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// `text` in lower case (ASCII only).
std::string lower_case(std::string_view text);

}  // namespace lacuna

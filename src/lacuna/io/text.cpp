#include "lacuna/io/text.h"

#include <algorithm>

#include <fmt/core.h>

namespace lacuna {
namespace {

// A line longer than this tells a reader less than the quoted word in the message.
constexpr std::size_t longest_shown_line = 160;
constexpr std::size_t longest_shown_word = 40;

}  // namespace

std::size_t line_number(const Text& text, std::size_t offset) {
  const std::string_view before = text.bytes.substr(0, offset);
  return 1 + text.lines_before + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

void fail_at(const Text& text, TextRange where, const std::string& reason) {
  const std::size_t begin = std::min(where.begin, text.bytes.size());
  std::string message = fmt::format("{}:{}: {}", text.name, line_number(text, begin), reason);
  const std::size_t newline = begin == 0 ? std::string_view::npos : text.bytes.rfind('\n', begin - 1);
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t line_end = std::min(text.bytes.find('\n', begin), text.bytes.size());
  if (where.end <= begin || line_end - line_begin > longest_shown_line) throw Error(message);
  throw Error(message, {begin - line_begin, std::min(where.end, line_end) - line_begin},
              std::string(text.bytes.substr(line_begin, line_end - line_begin)));
}

void fail_in(const Text& text, const std::string& reason) { throw Error(fmt::format("{}: {}", text.name, reason)); }

std::string quoted(std::string_view token) {
  std::string shown = "'";
  for (const char c : token.substr(0, longest_shown_word)) {
    if (c >= 0x20 && c < 0x7F) shown += c;
    else shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  if (token.size() > longest_shown_word) shown += "…";
  return shown + "'";
}

TextRange TextCursor::next_line() {
  const TextRange line{position_, std::min(text_->bytes.find('\n', position_), end_)};
  position_ = std::min(line.end + 1, end_);
  return line;
}

TextRange TextCursor::next_word() {
  const std::string_view bytes = text_->bytes;
  while (position_ < end_ && is_blank(bytes[position_])) ++position_;
  const std::size_t begin = position_;
  while (position_ < end_ && !is_blank(bytes[position_])) ++position_;
  return {begin, position_};
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

}  // namespace lacuna

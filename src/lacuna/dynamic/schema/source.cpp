#include "lacuna/dynamic/schema/source.h"

#include <algorithm>

#include <fmt/core.h>

namespace lacuna::schema {
namespace {

// A line longer than this tells a reader less than the message does.
constexpr std::size_t longest_shown_line = 160;
constexpr std::size_t longest_shown_word = 64;

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

}  // namespace

Position position_of(std::string_view text, std::size_t offset) {
  const std::size_t at = std::min(offset, text.size());
  const std::string_view before = text.substr(0, at);
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), 1 + at - line_begin(text, at)};
}

void fail_with(const Source& source, const Place& where, const std::string& reason) {
  if (!where.range.known()) throw Error(source.name.empty() ? reason : fmt::format("{}: {}", source.name, reason));
  const std::size_t begin = std::min(where.range.begin, source.text.size());
  const Position at = position_of(source.text, begin);
  const std::string message = fmt::format("{}:{}:{}: {}", source.name, at.line, at.column, reason);
  const std::size_t first = line_begin(source.text, begin);
  const std::size_t last = std::min(source.text.find('\n', begin), source.text.size());
  if (last - first > longest_shown_line) throw Error(message);
  const std::size_t end = std::max(std::min(where.range.end, last), begin + 1);
  throw Error(message, {begin - first, end - first}, std::string(source.text.substr(first, last - first)));
}

std::string on_line(const Source& source, const Place& where) {
  return where.range.known() ? fmt::format(" on line {}", position_of(source.text, where.range.begin).line) : "";
}

std::string_view shown(std::string_view word) { return word.substr(0, longest_shown_word); }

void check_characters(const Source& source) {
  for (std::size_t k = 0; k < source.text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(source.text[k]);
    const bool space = byte >= '\t' && byte <= '\r';
    if ((byte >= 0x20 && byte != 0x7F) || space) continue;
    fail_at(source, {{k, k + 1}}, "control character 0x{:02X}: a level file is plain text", byte);
  }
}

}  // namespace lacuna::schema

#include "lacuna/support/error.h"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace lacuna {
namespace {

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// A control character in the user's text must not move the cursor, or the carets would point elsewhere.
std::string printable(std::string_view line) {
  std::string shown(line);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return shown;
}

std::size_t count_columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_code_point(c); }));
}

}  // namespace

std::string describe_with_caret(const Error& error) {
  const std::string_view text = error.text();
  const SourceRange where = error.where();
  if (!where.known() || text.empty()) return error.what();

  const std::size_t begin = std::min(where.begin, text.size());
  const std::size_t newline_before = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
  const std::size_t line_begin = newline_before == std::string_view::npos ? 0 : newline_before + 1;
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  const std::size_t end = std::clamp(where.end, begin, line_end);

  const std::size_t indent = count_columns(text.substr(line_begin, begin - line_begin));
  const std::size_t carets = std::max<std::size_t>(1, count_columns(text.substr(begin, end - begin)));
  return fmt::format("{}\n  {}\n  {}{}", error.what(), printable(text.substr(line_begin, line_end - line_begin)),
                     std::string(indent, ' '), std::string(carets, '^'));
}

}  // namespace lacuna

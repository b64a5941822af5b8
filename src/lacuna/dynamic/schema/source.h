#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/schema.h"

namespace lacuna::schema {

/// A text with the name that messages give it; both empty for a schema that a program made.
struct Source {
  std::string name;
  std::string_view text;
};

/// Line and column of a byte, both counted from 1.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};
/// An offset behind the text counts as its end.
Position position_of(std::string_view text, std::size_t offset);

/// Throws Error "NAME:LINE:COLUMN: reason" that carries the line, with `where` underlined; only the reason for a schema
/// that a program made.
[[noreturn]] void fail_with(const Source& source, const Place& where, const std::string& reason);

template <typename... Args>
[[noreturn]] void fail_at(const Source& source, const Place& where, fmt::format_string<Args...> reason,
                          Args&&... args) {
  fail_with(source, where, fmt::format(reason, std::forward<Args>(args)...));
}

/// " on line 3", for messages that point to a second place; empty for a schema that a program made.
std::string on_line(const Source& source, const Place& where);

/// A word of the text as messages show it: cut when long.
std::string_view shown(std::string_view word);

/// Throws Error at the first control character, which no text has.
void check_characters(const Source& source);

}  // namespace lacuna::schema

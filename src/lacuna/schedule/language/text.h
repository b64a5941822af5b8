#pragma once

#include <string_view>
#include <vector>

#include "lacuna/support/error.h"

namespace lacuna::schedule_text {

/// One directive of a schedule's text, taken apart but not understood: NAME ( ARGUMENT , … ).
struct Call {
  std::string_view name;
  SourceRange name_at;
  SourceRange where;                   // from the name to the closing parenthesis
  std::vector<SourceRange> arguments;  // without the spaces around them; an empty one is where it is missing
};

/// Splits a schedule at the commas, semicolons and newlines between directives, and each directive at the commas
/// outside of inner parentheses and braces. Throws Error where brackets do not match, a name or '(' or separator is
/// missing.
std::vector<Call> split_calls(std::string_view text);

/// The part of `text` that a range names.
inline std::string_view part(std::string_view text, SourceRange where) {
  return text.substr(where.begin, where.end - where.begin);
}

/// `where` without spaces at both its ends.
SourceRange trimmed(std::string_view text, SourceRange where);

/// Splits a part of a text at its commas outside of inner parentheses and braces, which must match; at least one range.
std::vector<SourceRange> split_at_commas(std::string_view text, SourceRange where);

/// Letters, digits and _, no digit first.
bool is_name(std::string_view text);

}  // namespace lacuna::schedule_text

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/notation/expr.h"

namespace lacuna {

/// Parses one statement, e.g. "y(i) = A(i,j)*x(j)" or "s += min(a(i), 2) / n". A bare name is an index variable used as
/// a value when it occurs as an index anywhere in the statement, else an order-0 tensor. One name is one tensor: it
/// must have the same number of indices everywhere. Throws Error with the offending range. Depth of nesting is bounded,
/// so that no input overflows the stack.
Statement parse_statement(std::string_view text);

/// Parses an expression that is a part of a larger text, such as the first argument of precompute in a schedule. A bare
/// name is an index variable used as a value when it occurs as an index in the expression or is one of `variables`,
/// else an order-0 tensor. Source ranges, also those of the Errors thrown, count from the beginning of the whole text.
Expr parse_expression(std::string_view text, SourceRange part, const std::vector<std::string>& variables = {});

/// The text of an expression or statement; parsing it gives an equal tree (fewest parentheses).
std::string to_string(const Expr& e);
std::string to_string(const Statement& s);

}  // namespace lacuna

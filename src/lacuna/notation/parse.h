#pragma once

#include <string_view>

#include "lacuna/notation/expr.h"

namespace lacuna {

/// Parses one statement, e.g. "y(i) = A(i,j)*x(j)" or "s += min(a(i), 2) / n". A bare name is an index variable used as
/// a value when it occurs as an index anywhere in the statement, else an order-0 tensor. One name is one tensor: it
/// must have the same number of indices everywhere. Throws Error with the offending range. Depth of nesting is bounded,
/// so that no input overflows the stack.
Statement parse_statement(std::string_view text);

/// The text of an expression or statement; parsing it gives an equal tree (fewest parentheses).
std::string to_string(const Expr& e);
std::string to_string(const Statement& s);

}  // namespace lacuna

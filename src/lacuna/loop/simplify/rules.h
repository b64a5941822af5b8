#pragma once

#include <map>
#include <optional>

#include "lacuna/loop/ir.h"
#include "lacuna/loop/simplify/usage.h"

/// The families of rules of `simplify`, one a file. Each looks at one node whose operands are simple already and gives
/// a simpler one, or none when it has nothing to say. Rules keep the value of every expression that does not fail, and
/// may remove a failure; they never change the result of float arithmetic.
namespace lacuna::loop::simplifier {

/// Operations on constants. `2 + 3` -> `5`; `int32(7)` -> `7`; `4 < 3` -> `false`
std::optional<Expr> fold_constants(const Expr& expr);
/// Neutral and absorbing operands. `i + 0` -> `i`; `1 * x` -> `x`; `i * 0` -> `0`; `min(i, i)` -> `i`;
/// `i + 2 - 1` -> `i + 1`
std::optional<Expr> simplify_arithmetic(const Expr& expr);
/// Conditions. `!!a` -> `a`; `!(i < n)` -> `i >= n`; `i == i` -> `true`; `a && true` -> `a`
std::optional<Expr> simplify_condition(const Expr& expr);
/// Conversions that do nothing, or that undo each other. `int32(int64(c))` -> `c`
std::optional<Expr> simplify_conversion(const Expr& expr);
/// `true ? a : b` -> `a`; `c ? a : a` -> `a`; `!c ? a : b` -> `c ? b : a`
std::optional<Expr> simplify_select(const Expr& expr);

/// One statement: dead branches, loops without iterations or body, what follows a break or return, `x = x`. Gives null
/// when nothing of it remains, and the same statement when nothing changes. `used`: of the whole function.
Stmt simplify_control(const Stmt& stmt, const Usages& used);

/// Conditions that are variables: `if (a) { if (a) x; }` -> `if (a) x;`, `for (…) { if (a) x; }` -> `if (a) for (…) x;`
Stmt know_conditions(const Stmt& stmt);

/// The statement with values for uses of variables.
Stmt with_values(const Stmt& stmt, const std::map<Var, Expr>& values);
/// In one function: uses of a variable that only ever is a copy of another, or a constant, become that.
Stmt propagate_copies(const Stmt& body);
/// In one function: variables whose value is never used, and arrays whose elements never are, go.
Stmt remove_dead_variables(const Stmt& body);

/// Whether leaving out the evaluation changes nothing but that it may have failed: it calls no function.
bool is_droppable(const Expr& expr);
/// The integer constant that the expression is, in an index type other than UInt64.
std::optional<std::int64_t> integer_constant(const Expr& expr);

}  // namespace lacuna::loop::simplifier

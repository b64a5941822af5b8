#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lacuna/schedule/problem/problem.h"

/// What several directives check.
namespace lacuna::directives {

/// What variables are called, for messages.
std::vector<std::string> names_of(const std::vector<IndexVar>& variables);

/// The variable of that name which has a loop. Throws Error where there is none, saying what became of the variable or
/// which loops there are.
IndexVar loop_variable(const concrete::Program& p, const std::string& name, std::string_view directive);

/// A new variable. Throws Error for a name that is taken or no identifier.
IndexVar new_variable(const concrete::Program& p, const std::string& name, std::string_view directive);

/// The number of values that a variable takes; for positions, at most.
std::int64_t extent_of(const concrete::Program& p, const IndexVar& v);

/// Replaces the loop of `v`, wherever it stands.
concrete::Stmt replace_loop(const concrete::Stmt& s, const IndexVar& v,
                            const std::function<concrete::Stmt(const concrete::Forall&)>& change);

/// The Execution of the outer and of the inner of two loops that were one: threads stay outside, the rest goes inside.
concrete::Execution outer_part(const concrete::Execution& how);
concrete::Execution inner_part(const concrete::Execution& how);

/// Throws Error where an operand's levels cannot be walked in the order of the loops, naming the transposed copy that
/// could be.
void check_operand_orders(const Scheduled& s, std::string_view directive);

/// Throws Error where the levels of a copy that a directive asked for cannot be walked in the order of the loops. For
/// when all directives are applied: a copy is asked for before the loops that it is for.
void check_copy_orders(const Scheduled& s);

}  // namespace lacuna::directives

#pragma once

#include <set>
#include <string>

#include "lacuna/notation/expr.h"

namespace lacuna {

/// The expression of a precompute as its statement means it. A schedule is read on its own, so that a bare name that
/// the directive does not list and that is no index in the expression was taken for a scalar tensor; where it is one of
/// `variables`, it becomes that variable's value, and a variable's value whose name is not among `variables` becomes
/// the scalar again. Shares nodes that do not change.
Expr resolve_names(const Expr& e, const std::set<std::string>& variables);

}  // namespace lacuna

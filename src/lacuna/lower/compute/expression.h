#pragma once

#include "lacuna/lower/context/computed.h"
#include "lacuna/lower/context/context.h"

namespace lacuna {

/// Evaluates an expression whose paths are all resolved in `scope`, by semantics.md's absence rules; helper
/// declarations go to `out`.
Computed evaluate(Context& context, const Expr& e, const Scope& scope, Statements& out);

/// Whether the statement can have any effect in `scope`: false where everything it computes is absent. May be true too
/// often, never false wrongly.
loop::Expr may_run(const Context& context, const concrete::Stmt& stmt, const Scope& scope);

/// Whether an expression is present, as far as it is known in the scope; `known` says it of temporaries.
loop::Expr may_be_present(const Context& context, const Expr& e, const Scope& scope,
                          const std::map<TensorVar, loop::Expr>& known);

}  // namespace lacuna

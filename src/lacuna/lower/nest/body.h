#pragma once

#include <functional>

#include "lacuna/lower/nest/loop.h"

namespace lacuna {

/// Whether the body of a loop is known to run in a scope.
using IsRun = std::function<bool(const Scope&)>;

/// The body of a loop at a coordinate, with cursors there as `present` says. `covers`: the loop visits all
/// coordinates. Where `is_run` does not know better, operands are asked whether the body runs.
loop::Stmt body_at(OpenLoop& loop, const loop::Expr& coordinate, const Presences& present, bool covers = false,
                   const IsRun& is_run = nullptr);
/// The same at an element that the loop's only cursor leads to.
loop::Stmt body_at(OpenLoop& loop, const loop::Expr& coordinate, const Handle& element);

/// Resolves every level whose variable is bound by now: those located into, and those that the loop order reaches out
/// of their own order. Only of paths that the statement reads.
void resolve_located(Context& context, const concrete::Stmt& stmt, Scope& scope, Statements& out);

}  // namespace lacuna

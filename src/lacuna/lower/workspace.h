#pragma once

#include "lacuna/lower/assemble/assembler.h"

namespace lacuna {

/// A dense workspace over one variable: values, a mark a coordinate, and the list of the coordinates touched, so that
/// draining and resetting cost only what was touched. Allocated in `before` and released in `after`: once around the
/// nest, or by each thread.
void declare_workspace(Context& context, const concrete::Tensor& workspace, Statements& before, Statements& after);

/// workspace(v) += value.
void accumulate_workspace(Context& context, const Access& target, const Computed& value, const Scope& scope,
                          Statements& out);

/// The loop `forall v. consumer` over the coordinates touched, in ascending order; leaves the workspace empty.
void drain_workspace(Context& context, const TensorVar& workspace, const IndexVar& var,
                     const std::function<loop::Stmt(const loop::Expr&)>& body, Statements& out);

}  // namespace lacuna

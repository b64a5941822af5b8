#pragma once

#include "lacuna/lower/assemble/assembler.h"

namespace lacuna {

/// The variable whose loop hands the entries of a workspace on, one after the other: forall v. target(…,v) = w(v). Such
/// a workspace has a list of the coordinates touched, so that draining and emptying it cost only those.
std::optional<TensorVar> drained_by(const concrete::Program& program, const concrete::Forall& f);

/// Allocates a workspace in `before` and releases it in `after`: once around the nest, or by each thread.
WorkspaceState declare_workspace(Context& context, const concrete::Tensor& workspace, Statements& before,
                                 Statements& after);

/// Empties a workspace before its producer runs. Nothing for those that draining leaves empty.
void clear_workspace(const WorkspaceState& workspace, Statements& out);

/// workspace(…) += value.
void accumulate_workspace(Context& context, const Access& target, const Computed& value, const Scope& scope,
                          Statements& out);

/// What is read at the coordinates of an access.
Computed read_workspace(Context& context, const Access& access, const Scope& scope);

/// The loop `forall v. consumer` over the coordinates touched, in ascending order; leaves the workspace empty.
void drain_workspace(Context& context, const TensorVar& workspace, const concrete::Forall& f, const Scope& scope,
                     const std::function<loop::Stmt(const loop::Expr&)>& body, Statements& out);

}  // namespace lacuna

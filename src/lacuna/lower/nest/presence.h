#pragma once

#include "lacuna/lower/context/context.h"

// Whether something was added to temporaries: what says so, and what is known before a loop or a producer is run.
namespace lacuna {

/// Says that something is added to a workspace: by its mark or, where the sums are collected first, by a variable.
loop::Stmt announced(const Access& target, const Scope& scope);
/// Whether a workspace is known to hold something.
bool is_flagged(const TensorVar& workspace, const Scope& scope);
/// Says of workspaces that come whole that there is something in them, as far outside as that is known. Returns the
/// scope of the loop.
Scope flag_workspaces(Context& context, const concrete::Forall& f, const Scope& scope, Statements& out);

/// Declares a scalar that `where` produces, zero, with flags for what somebody asks of it and is not known.
ScalarState declare_scalar(Context& context, const TensorVar& temporary, const concrete::Where& where,
                           const Scope& scope, Statements& out);

}  // namespace lacuna

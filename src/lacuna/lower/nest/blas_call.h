#pragma once

#include "lacuna/lower/assemble/results.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/context/context.h"

namespace lacuna {

/// Whether the loop is the outermost of a nest that a call of BLAS (concrete/blas_call.h) takes the place of. Loops
/// without iterations are loops.
bool is_blas_call(const Context& context, const concrete::Forall& f);

/// That call, where it changes the target. Rows of temporaries that their producers left out come to nothing in it,
/// whatever they are multiplied with. Throws Error where the target cannot be handed to BLAS.
void lower_blas_call(Context& context, const Results& results, const concrete::Forall& f, const Scope& scope,
                     Statements& out);

/// What a dot product comes to, in place of the sum that its loops add to the target; a target that nothing else adds
/// to is assigned. What it needs before goes to `out`.
struct DotProduct {
  concrete::Assign assign;
  Computed value;
};
DotProduct lower_dot(Context& context, const Results& results, const concrete::Forall& f, const Scope& scope,
                     Statements& out);

}  // namespace lacuna

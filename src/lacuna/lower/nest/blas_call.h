#pragma once

#include "lacuna/lower/assemble/results.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/context/context.h"

namespace lacuna {

/// A call of BLAS that changes the target. Rows of temporaries that their producers left out come to nothing in it,
/// whatever they are multiplied with. Throws Error where the target cannot be handed to BLAS.
void lower_blas_call(Context& context, const Results& results, const concrete::BlasCall& call, const Scope& scope,
                     Statements& out);

/// What a dot product comes to, in place of the sum that its loops add to the target; a target that nothing else adds
/// to is assigned. What it needs before goes to `out`.
struct DotProduct {
  concrete::Assign assign;
  Computed value;
};
DotProduct lower_dot(Context& context, const Results& results, const concrete::BlasCall& call, const Scope& scope,
                     Statements& out);

}  // namespace lacuna

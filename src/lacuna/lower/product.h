#pragma once

#include "lacuna/lower/assemble/results.h"
#include "lacuna/lower/context.h"

namespace lacuna {

/// Whether the loop is the outermost of a nest that a product of matrices (concrete/matrix_product.h) takes the place
/// of. Loops without iterations are loops.
bool is_product(const Context& context, const concrete::Forall& f);

/// That product. Rows of temporaries that their producers left out come to nothing in it, whatever they are multiplied
/// with. Throws Error where what is multiplied cannot be handed to BLAS as a matrix.
void lower_product(Context& context, const Results& results, const concrete::Forall& f, const Scope& scope,
                   Statements& out);

}  // namespace lacuna

#pragma once

#include "lacuna/concrete/row_piece.h"
#include "lacuna/lower/assemble/results.h"
#include "lacuna/lower/context/context.h"

namespace lacuna {

/// Declares the piece's sums; in the scope returned, they are what is added to.
Scope begin_tile(Context& context, const concrete::RowPiece& piece, const Scope& scope, Statements& out);
/// Adds to the sum at hand.
void add_to_tile(Context& context, const Computed& value, const Scope& scope, Statements& out);
/// Stores (or adds) the sums to the result, or adds them to the workspace. `inside` is what begin_tile returned for
/// `scope`.
void end_tile(Context& context, const Results& results, const concrete::RowPiece& piece, const Scope& scope,
              const Scope& inside, Statements& out);

}  // namespace lacuna

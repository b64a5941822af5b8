#pragma once

#include "lacuna/lower/nest/nest.h"

namespace lacuna {

/// Emits a loop over a derived variable: through pieces that a schedule asked for, or values that lie apart.
void lower_pieces(Context& context, const Results& results, const iteration::Node& node, const Scope& scope,
                  Statements& out);

}  // namespace lacuna

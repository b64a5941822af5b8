#pragma once

#include "lacuna/concrete/program.h"
#include "lacuna/iteration/nest.h"
#include "lacuna/lower/context/lowered.h"

namespace lacuna {

/// Lowers concrete index notation to the loop IR: for each point of a loop's lattice a counted loop, a merge of
/// cursors, or a loop over the whole extent. Every loop order is legal here: a level bound out of its order is
/// searched. `nest`: the loops of the program, analysed.
Lowered lower(const concrete::Program& program, const iteration::Nest& nest, const LowerOptions& options = {});

}  // namespace lacuna

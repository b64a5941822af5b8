#pragma once

#include "lacuna/concrete/program.h"
#include "lacuna/lower/context/lowered.h"

namespace lacuna {

/// Lowers concrete index notation to the loop IR: for each forall an iteration lattice from the absence rules,
/// simplified by full levels and locate; for each lattice point a counted loop, a merge of cursors, or a loop over the
/// whole extent (DESIGN section 5). Every loop order is legal here: a level bound out of its order is searched.
Lowered lower(const concrete::Program& program, const LowerOptions& options = {});

}  // namespace lacuna

#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// Whether threads gain nothing from sharing out this loop since it comes to the nodes of a list, or to nodes without
/// order: a list is walked from its head by one thread before others know where they begin. That pays where there is
/// enough to do for each node, and where no thread has to begin at a coordinate.
bool is_best_walked_by_one(const concrete::Program& program, const concrete::Forall& loop);

}  // namespace lacuna

#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// Throws Error where a call cannot take the place of the loops that substitute named, now that all directives are
/// applied.
void check_leaves(const concrete::Program& program);

}  // namespace lacuna

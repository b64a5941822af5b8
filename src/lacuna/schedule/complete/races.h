#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// Proves that the parallel loops of a program that finish() made do not race, or that their race strategies keep apart
/// what does. Throws Error naming the loop, what its iterations share, and the strategies that would do
/// (semantics.md, "Determinism").
void check_races(const concrete::Program& program);

}  // namespace lacuna

#pragma once

#include "fuzz/statement/random.h"
#include "lacuna/schedule/problem.h"

namespace lacuna::fuzz {

/// Gives operands other statistics than theirs: as if they were larger, sparser or less even, on a machine with other
/// caches. They decide which schedule is chosen, so that more of these are tried than small tensors have; no result may
/// depend on them.
void distort_statistics(Random& random, ScheduleProblem& problem);

}  // namespace lacuna::fuzz

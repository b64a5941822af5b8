#pragma once

#include "fuzz/statement/random.h"
#include "lacuna/schedule/problem/problem.h"

namespace lacuna::fuzz {

/// Gives operands other statistics than theirs, as if they were larger or empty, and makes threads pay at once in half
/// of all problems. These decide which schedule is chosen, so that more schedules are tried than small tensors have; no
/// result may depend on them.
void distort_statistics(Random& random, ScheduleProblem& problem);

}  // namespace lacuna::fuzz

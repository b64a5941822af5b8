#pragma once

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// Where many tasks need the same part of a dense operand in the first step, they pass it on to each other, in rounds
/// before that step; the messages are as many, and none sends most of them. Later steps have no such rounds: what they
/// need is on its way while the step before is computed. `is_dense`: by operand. Of others, a plan that is kept moves
/// values alone, which rounds would not.
void add_broadcasts(LaunchPlan& plan, const std::vector<bool>& is_dense);

}  // namespace lacuna

#pragma once

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// Which tasks of a plan fetch operands together, and who of them does it: `plan` has its tasks, `steps` are those that
/// it is about to get. An operand whose positions are dealt out is never the same for two tasks.
std::vector<std::vector<Fetcher>> fetchers_of(const LaunchPlan& plan, const std::vector<LaunchStep>& steps);

}  // namespace lacuna

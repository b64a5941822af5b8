#pragma once

#include "lacuna/distribute/plan/reduction.h"

namespace lacuna {

/// Where many contributions go to one owner: the tasks add them up in rounds, as a tree, so that one of them sends
/// the sum. The messages are as many, and the owner does not get most of them. Those that go to several owners stay as
/// they are: of each, every owner gets its share only.
void add_up_in_trees(const LaunchPlan& plan, ReductionPlan& reduction);

}  // namespace lacuna

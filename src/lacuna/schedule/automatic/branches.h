#pragma once

#include <optional>
#include <vector>

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// A way to compute a product of several operands, and how long it is expected to take.
struct Branching {
  Schedule schedule;  // reorder and loopfuse, then what makes the branches quick
  double seconds = 0;
  bool in_branches = false;  // else one nest
};

/// Ways to compute the statement's product: one nest, and nests that branch into producers and consumers, in every
/// order of contraction and with every number of shared loops, as far as the operands' formats allow (SparseLNR,
/// section 5, searched by expected cost). Quickest first; none where the statement is no product of three operands or
/// more that are summed. `start`: what the schedule says already.
std::vector<Branching> branchings(ScheduleTrials& trials, const Schedule& start);

}  // namespace lacuna

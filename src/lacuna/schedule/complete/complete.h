#pragma once

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// Makes a program that can be lowered out of loops that assign to the result wherever the schedule put them: adds the
/// scalars and workspaces that collect sums, and chooses how the result is assembled: in place, over an operand's
/// pattern, appended in order, or, where the loops come to its coordinates in no order, as a stream.
Scheduled finish(Scheduled scheduled, const ScheduleProblem& problem);

}  // namespace lacuna

#pragma once

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// What every schedule starts from: loops in an order that every operand can be walked in, or a copy of it, chosen by
/// estimated work; each term is assigned to the result where its loops end. There are no temporaries but those of sums
/// written out in the statement: finish() makes a program of it that can be lowered.
Scheduled bare_loops(const ScheduleProblem& problem);

}  // namespace lacuna

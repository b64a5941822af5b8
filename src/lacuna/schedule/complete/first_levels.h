#pragma once

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// Whether the result can have the coordinates of an operand's first levels: these are stored alike, modes in the same
/// order, and each entry of the last of them leads to something.
bool begins_alike(const OperandFacts& operand, const ScheduleProblem& problem, int levels);

}  // namespace lacuna

#pragma once

#include <vector>

#include "fuzz/statement/problem.h"

namespace lacuna::fuzz {

/// What one kernel is to compute beside a problem's statement, out of the same operands: the statement once more, and
/// each of its terms, as tensors of formats of their own. Follows from the problem alone, so that shrinking it shrinks
/// them.
std::vector<Problem> problems_beside(const Problem& problem);

/// The request for all of them at once, the problem's own statement first.
Request together(const Problem& problem, const std::vector<Problem>& beside);

}  // namespace lacuna::fuzz

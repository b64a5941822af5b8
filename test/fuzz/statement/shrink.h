#pragma once

#include <functional>

#include "fuzz/statement/problem.h"

namespace lacuna::fuzz {

/// Makes a problem smaller, step by step, as long as `fails` says that it still fails: drops terms and operands,
/// simplifies formats, widths and types, reduces extents and drops entries. `fails` is asked at most `budget` times.
Problem shrink(Problem problem, const std::function<bool(const Problem&)>& fails, int budget = 20'000);

/// Throws Error unless the problem means something, its data fit and its result can be judged.
void require_legal(const Problem& problem);

}  // namespace lacuna::fuzz

#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/execute/prepare.h"

namespace lacuna {

/// How many turns the innermost loops of a task take in a step, about: all coordinates of the iteration space, as far
/// as the factor of a product that stores the smallest part of its own stores them. `entries`: how many the task holds
/// of each operand.
double turns_of(const PreparedLaunch& prepared, const LaunchStep& step, std::size_t task,
                const std::vector<std::int64_t>& entries);

}  // namespace lacuna

#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/run/prepare.h"
#include "lacuna/distribute/simulate/part_sizes.h"

namespace lacuna {

/// How many turns the innermost loops of a task take in a step, about: all coordinates of the iteration space, as far
/// as the factor of a product that stores the smallest part of its own stores them. `entries`: how many the task holds
/// of each operand.
double turns_of(const PreparedLaunch& prepared, const LaunchStep& step, std::size_t task,
                const std::vector<std::int64_t>& entries);

/// How many entries a task stores in a region of a result that is not dense, about: of each product, those of its
/// sparsest factor, as far as its variables are those of the result; over others, some entry has to meet. As if no two
/// terms had an entry at the same coordinates.
double entries_of_result(const PreparedLaunch& prepared, PartSizes& sizes, std::size_t task,
                         const std::vector<IndexSet>& region);

}  // namespace lacuna

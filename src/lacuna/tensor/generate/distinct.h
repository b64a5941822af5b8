#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Fills one coordinate (one element a mode) at random.
using Draw = std::function<void(std::span<std::int64_t>)>;

/// Draws until there are `count` distinct coordinates or `rounds` rounds of drawing what is missing have gone by.
/// Sorted by mode; the values are of `type` and random. Throws Error where the tensor has fewer positions than `count`.
CoordinateList draw_distinct(const std::vector<std::int64_t>& dimensions, std::int64_t count, int rounds,
                             const Draw& draw, std::uint64_t seed, Type type);

/// The number of positions, or `largest_span` where there are more.
std::int64_t count_positions(const std::vector<std::int64_t>& dimensions);

/// Throws Error unless `count` distinct entries fit.
void check_count(const std::vector<std::int64_t>& dimensions, std::int64_t count);

}  // namespace lacuna

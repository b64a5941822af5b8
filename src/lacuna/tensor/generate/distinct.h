#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Fills one coordinate (one element a mode) at random. A copy draws what this one would.
using Draw = std::function<void(std::span<std::int64_t>)>;

/// Coordinates between two, as they are sorted by mode: from the first one on, and before the second. Where there is
/// none, from the beginning, or to the end.
struct CoordinateStretch {
  std::optional<std::vector<std::int64_t>> begin = {}, end = {};
  bool has(std::span<const std::int64_t> coordinate) const;
};

/// Where a share is to draw, so that all shares come to about as many coordinates; all of them find the same.
CoordinateStretch stretch_of(const std::vector<std::int64_t>& dimensions, const Draw& draw,
                             const GeneratorShare& share);

/// Draws until there are `count` distinct coordinates or `rounds` rounds of drawing what is missing have gone by, and
/// keeps those of a stretch, which is the share's. Sorted by mode; the values are of `type` and random. Throws Error
/// where the tensor has fewer positions than `count`.
CoordinateList draw_distinct(const std::vector<std::int64_t>& dimensions, std::int64_t count, int rounds,
                             const Draw& draw, std::uint64_t seed, Type type, const GeneratorShare& share,
                             const CoordinateStretch& stretch);

/// The number of positions, or `largest_span` where there are more.
std::int64_t count_positions(const std::vector<std::int64_t>& dimensions);

/// Throws Error unless `count` distinct entries fit.
void check_count(const std::vector<std::int64_t>& dimensions, std::int64_t count);

}  // namespace lacuna

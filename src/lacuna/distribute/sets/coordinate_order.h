#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Whether positions of a level ascend as their coordinates do, outermost level first. Where they repeat coordinates,
/// those of the singletons below tell them apart.
bool is_in_coordinate_order(const Format& format, int level);

/// Positions of a level in the order of their coordinates. A tensor without nodes. Throws std::bad_alloc.
std::vector<std::int64_t> by_coordinates(const Storage& storage, int level, const IndexSet& positions);

}  // namespace lacuna

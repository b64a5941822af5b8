#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

/// Between so many stretches of coordinates in these modes, outermost first, with about as many entries in each: where
/// all but the first begin, in order. Estimated from a sample of each rank's entries. Collective.
std::vector<std::vector<std::int64_t>> bounds_by_sample(const std::vector<CoordinateList>& mine,
                                                        const std::vector<std::size_t>& modes, int stretches,
                                                        Communicator& ranks);

/// A layout with a part for each rank, with about as many entries in each: entries that are to be placed by what is
/// stored (`~`) are collected so, since that has to be counted first. `mine`: the entries of this rank. Collective.
TensorLayout layout_by_sample(const std::vector<CoordinateList>& mine, const std::vector<std::int64_t>& dimensions,
                              const Format& format, Type type, const Machine& machine, Communicator& ranks);

}  // namespace lacuna

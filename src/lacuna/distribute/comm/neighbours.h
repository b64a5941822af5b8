#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"

namespace lacuna {

/// By rank: from how many bytes on that one and this one read each other's memory (support/shared_memory), as
/// Communicator::in_place_from. `from`: from how many this one would, at least; none: never. Tries whether they may:
/// all ranks of a computer may, or none does. Collective.
std::vector<std::optional<std::int64_t>> in_place_tried(Communicator& ranks, std::optional<std::int64_t> from);

}  // namespace lacuna

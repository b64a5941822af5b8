#pragma once

#include <cstdint>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The lowest child position of a level: zero but in a piece, whose arrays keep their global positions. For level -1
/// (the root) it is zero.
std::int64_t first_position(const Storage& storage, int level);

}  // namespace lacuna

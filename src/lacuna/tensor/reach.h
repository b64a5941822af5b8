#pragma once

#include <cstdint>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// How far apart the coordinates are that neighbouring parents of an ordered compressed level lead to, on average over
/// a few samples: some hundred for a band or a mesh, the whole extent where they are scattered. A kernel that reads
/// rows of another tensor at these coordinates comes back to so many of them. 0 where it is not known: of other levels,
/// and of empty ones. Looks at a hundred parents, whatever the size.
std::int64_t reach_of(const LevelFormat& format, const LevelStorage& level);

}  // namespace lacuna

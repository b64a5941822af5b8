#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A dense tensor of zeros in address space alone: however large, it takes no memory as long as nobody reads it. For
/// what looks at sizes and not at values, as simulate() does; it must not be written to. Throws Error for dimensions
/// that no tensor has, and RuntimeFailure where it is larger than the address space.
Storage unbacked_tensor(Type type, const std::vector<std::int64_t>& dimensions, const LevelMap& map);

}  // namespace lacuna

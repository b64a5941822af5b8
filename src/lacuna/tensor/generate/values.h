#pragma once

#include <cstdint>

#include "lacuna/tensor/array.h"

namespace lacuna {

/// `size` values uniform in (0, 1] (real and imaginary part each), 1 to 9 for integers, true for Bool: those that come
/// after the first `before`.
Array random_values(Type type, std::int64_t size, std::uint64_t seed, std::int64_t before = 0);

}  // namespace lacuna

#pragma once

#include <cstdint>
#include <span>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The value at a coordinate; the fill value where nothing is stored. Throws Error when out of range.
Scalar value_at(const Storage& tensor, std::span<const std::int64_t> coordinate);

}  // namespace lacuna

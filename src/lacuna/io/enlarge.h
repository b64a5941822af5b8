#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Makes the dimensions of entries as large as these, where they are smaller.
void enlarge(CoordinateList& entries, const std::vector<std::int64_t>& least);

}  // namespace lacuna

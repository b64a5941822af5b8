#pragma once

#include <vector>

#include "lacuna/format/format.h"

namespace lacuna {

/// Compressed levels in the given mode order; the first is dense where its extent is not much more than the entries.
Format walkable_format(const std::vector<int>& mode_order, std::int64_t first_extent, double stored);

}  // namespace lacuna

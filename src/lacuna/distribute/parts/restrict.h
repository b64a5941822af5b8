#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// What of a part of dense and compressed levels lies in a smaller region, level by level, without a list of its
/// entries: the order of what is stored stays, and what stores nothing any more is left out. None where the part has
/// other levels, or where the region is empty.
std::optional<LocalPart> restricted(const LocalPart& part, const std::vector<IndexSet>& region);

}  // namespace lacuna

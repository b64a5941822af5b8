#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/format/distribution/machine.h"

namespace lacuna {

/// "(1,0)"
std::string processor_text(const Machine& machine, std::int64_t processor);
/// "{0-3, 7} x {0-9}"; of a set in many pieces, the first of them and how many numbers there are.
std::string region_text(const std::vector<IndexSet>& region);

}  // namespace lacuna

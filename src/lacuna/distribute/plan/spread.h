#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lacuna/distribute/plan/automatic.h"

namespace lacuna::launch {

/// By dimension of a machine, the variable that is dealt out along it. One that has several dimensions is cut along the
/// first of them, and each piece along the next.
using Spread = std::vector<std::string>;

/// Ways to deal out a statement whose tensors lie nowhere in particular over all dimensions of a machine, of these
/// sizes, the best first: those that keep most processors busy, and of these the one whose busiest processor adds up,
/// reads and receives least. Variables that are summed over come in where the others leave more than a quarter of the
/// processors idle. Some may not be allowed for other reasons.
std::vector<Spread> spreads(const Statement& statement, const std::vector<std::int64_t>& sizes,
                            const std::map<IndexVar, std::int64_t>& extents,
                            const std::map<std::string, PlacedOperand>& operands);

}  // namespace lacuna::launch

#pragma once

#include "lacuna/distribute/run/execute.h"
#include "tools/problem.h"

namespace lacuna::tool {

/// The request that is simulated. Dense operands for which nothing is given have no entries.
/// Throws Error where nothing says that several processors compute it, and where an operand that is not dense has no
/// entries: it is counted as it is.
DistributedRequest simulated_request(const Problem& problem);

}  // namespace lacuna::tool

#pragma once

#include "lacuna/distribute/execute/execute.h"
#include "tools/problem.h"

namespace lacuna::tool {

/// The request as several processors compute it.
DistributedRequest on_machine(const Problem& problem, Request request);

/// What moved between processors, and how often.
void print_traffic(const DistributedReport& report);

}  // namespace lacuna::tool

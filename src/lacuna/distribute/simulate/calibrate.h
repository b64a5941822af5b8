#pragma once

#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna {

/// What these ranks, on this machine, take: latency and bandwidth of messages around the ranks, the speed of copies,
/// and the turns that the kernels of this very statement take in a second, each rank with the tasks of its processors,
/// all at once, as they share caches and memory when they compute. Takes a fraction of a second, and whatever compiling
/// takes. Operands are in whole; others than dense ones have their entries. Throws Error as plan_distributed.
/// Collective.
Network calibrated(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options = {});

}  // namespace lacuna

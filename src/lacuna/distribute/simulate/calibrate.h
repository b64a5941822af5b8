#pragma once

#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna {

/// What these ranks, on this machine, take: latency and bandwidth of messages around the ranks, the speed of copies,
/// and the turns that the kernels of this very statement take in a second on the rank that has most of them, all ranks
/// at once with the tasks of their processors, as they share caches and memory when they compute. Takes some runs of
/// the first step, and whatever compiling takes. Operands are in whole; others than dense ones have their entries.
/// Throws Error as plan_distributed. Collective.
Network calibrated(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options = {});

}  // namespace lacuna

#pragma once

#include "lacuna/schedule/cost/estimate.h"
#include "lacuna/schedule/problem/problem.h"

namespace lacuna::cost {

/// How long a kernel is expected to take on one thread: its operations, its loops' turns, and what its arrays take to
/// read and write from the cache that holds them. Good to compare kernels of one statement, not to predict.
double seconds(const concrete::Program& program, const iteration::Nest& nest, const Counts& counts,
               const Estimate& estimate, const CacheSizes& caches);

/// The same of a statement under a schedule, with the caches that the problem names, and the making of its copies.
double seconds(const Scheduled& scheduled, const ScheduleProblem& problem);

}  // namespace lacuna::cost

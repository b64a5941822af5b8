#pragma once

#include <vector>

#include "lacuna/compile/engine.h"
#include "lacuna/distribute/execute/contributions.h"
#include "lacuna/distribute/plan/traffic.h"

namespace lacuna {

/// What a rank does of a plan: the tasks of its processors, once or again and again.
class LaunchRunner {
 public:
  virtual ~LaunchRunner() = default;

  /// `changed`: by operand of the launch, whether it has other values than in the run before; the same on all ranks.
  /// What was fetched of the others, and lies where it is needed again, does not move. Collective.
  virtual Contributions run(Engine& engine, Communicator& ranks, const std::vector<bool>& changed) = 0;

  /// Of the last run, on this rank.
  const Traffic& fetches() const { return fetches_; }
  std::int64_t kernels_prepared() const { return kernels_prepared_; }

 protected:
  Traffic fetches_;
  std::int64_t kernels_prepared_ = 0;
};

}  // namespace lacuna

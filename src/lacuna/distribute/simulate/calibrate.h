#pragma once

#include <memory>

#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna {

/// Measures what these ranks, on this machine, take: latency and bandwidth of messages around the ranks, the speed of
/// copies, and the turns that the kernels of this very statement take in a second on the rank that has most of them,
/// all ranks at once with the tasks of their processors, as they share caches and memory when they compute. Operands
/// are in whole; others than dense ones have their entries. All calls are collective.
class Calibration {
 public:
  /// Takes whatever compiling takes, and two runs of plans of one step. Keeps the engine and the ranks. Throws Error as
  /// plan_distributed.
  Calibration(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options = {});
  Calibration(const Calibration&) = delete;
  Calibration& operator=(const Calibration&) = delete;
  ~Calibration();

  /// As quick as it gets in about a second.
  Network quickest();
  /// As it is now, in some runs of the first step: machines that others use, too, are faster and slower from one second
  /// to the next.
  Network now();

 private:
  class Measured;
  std::unique_ptr<Measured> measured_;
};

/// What ranks take for a statement where nothing disturbs them: the quickest of a Calibration. Collective.
Network calibrated(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options = {});

}  // namespace lacuna

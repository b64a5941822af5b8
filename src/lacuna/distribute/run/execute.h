#pragma once

#include <map>
#include <optional>
#include <string>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/plan/plan.h"
#include "lacuna/distribute/plan/traffic.h"
#include "lacuna/distribute/tensors/distributed_tensor.h"
#include "lacuna/engine/engine.h"
#include "lacuna/format/distribution/distribution.h"

namespace lacuna {

/// A statement on a machine.
struct DistributedRequest {
  Request request;                 // the schedule with distribute, communicate, rotate and the rest; operands in whole
  std::optional<Machine> machine;  // none: as many processors as iterations are distributed
  std::map<std::string, Distribution> placed;  // by tensor; the others are everywhere, the result where it is computed
  /// Operands that lie in parts already, which stay where they are: they are not among those in whole. Each rank has
  /// its parts of them.
  std::map<std::string, DistributedTensorPtr> held = {};
};

/// What a run on a machine did.
struct DistributedReport {
  Traffic fetches;     // operands, on the way to those who compute
  Traffic reductions;  // results, on the way to those who own them
  std::int64_t tasks = 0, steps = 0;
  std::int64_t plans = 0;    // that were made: one, or none where one was kept
  std::int64_t kernels = 0;  // that this rank prepared
};

/// Plans a statement: what every processor does, and what moves when. Throws Error for a user's mistake. Where operands
/// are held by parts, by the ranks that hold them; then it is collective.
LaunchPlan plan_distributed(const DistributedRequest& request);
LaunchPlan plan_distributed(const DistributedRequest& request, Communicator& ranks);

/// The same plan for people: step by step what is fetched, and how the result comes to those who own it.
std::string describe_plan(const DistributedRequest& request);
std::string describe_plan(const DistributedRequest& request, Communicator& ranks);

/// Runs a statement on a machine whose processors these ranks play, each with parts of its own; the result stays where
/// the request places it, or else where it is computed. Every transfer of the plan is counted: as a copy within a rank,
/// as a message between two. Collective: throws the same Error on every rank where the requests are not the same, or
/// one of them cannot be run; ends all ranks where one fails later.
DistributedTensor run_distributed(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                  const Options& options = {}, DistributedReport* report = nullptr);

/// The same, with the result in one piece, as asked for, on rank 0 or on all; elsewhere it is without entries. It is
/// that of the statement on one processor, up to the order of floating-point sums.
Storage run_on(Communicator& ranks, Engine& engine, const DistributedRequest& request, const Options& options = {},
               DistributedReport* report = nullptr, Recipients recipients = Recipients::First);

/// The same on a machine whose processors are all played by this process.
Storage run_in_process(Engine& engine, const DistributedRequest& request, const Options& options = {},
                       DistributedReport* report = nullptr);

/// Options without devices: for what is made of a result after it was computed, as in another format.
Options on_processors(Options options);

}  // namespace lacuna

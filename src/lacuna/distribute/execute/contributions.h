#pragma once

#include <vector>

#include "lacuna/distribute/execute/execute.h"
#include "lacuna/distribute/execute/prepare.h"

namespace lacuna {

/// What a task computed of the result.
struct Contribution {
  std::int64_t processor;
  std::vector<IndexSet> region;
  Storage part;
};

/// Counts a part that goes from one processor to another.
void count(Traffic& traffic, const Machine& machine, const LocalPart& part, std::int64_t from, std::int64_t to);

/// Puts what the ranks report together: all of it on each. Collective.
void add_up(DistributedReport& report, Communicator& ranks);

/// How the result comes together: known to all ranks from the plan, before anything is computed.
struct ReductionPlan {
  /// What a task contributes, in the order of steps and tasks.
  struct Known {
    std::int64_t processor;
    std::vector<IndexSet> region;
  };
  std::vector<Known> known;
  std::vector<std::int64_t> dimensions;
  /// Owners are those that the request says; else, a part stays where it is computed, but where several tasks
  /// contribute to one entry, all goes to the first processor.
  TensorPlacement owners;
  bool adds = false;  // several contributions to an entry, or to what the result held before
};
ReductionPlan plan_reduction(const PreparedLaunch& prepared, const DistributedRequest& request);

/// Brings what tasks computed to the processors that own the result, where it is added up in the order of steps and
/// tasks.
class Reduction {
 public:
  Reduction(const PreparedLaunch& prepared, const DistributedRequest& request, Communicator& ranks);

  /// `mine`: what the tasks of this rank computed, in order. Collective.
  DistributedTensor of(std::vector<Contribution> mine);
  const Traffic& traffic() const { return traffic_; }

 private:
  int rank_of(std::int64_t processor) const;
  /// What one owner gets; empty where it is of another rank.
  std::optional<LocalPart> collected(const TensorPlacement::Part& part, std::int64_t owner,
                                     const std::vector<LocalPart>& mine);
  void send_to(const TensorPlacement::Part& part, std::int64_t owner, const std::vector<LocalPart>& mine);
  LocalPart old_values(const std::vector<IndexSet>& region) const;

  const PreparedLaunch& prepared_;
  const DistributedRequest& request_;
  Communicator& ranks_;
  ReductionPlan reduction_;
  PartShape shape_;
  Traffic traffic_;
};

}  // namespace lacuna

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

/// Brings what tasks computed to the processors that own the result, where it is added up in the order of steps and
/// tasks. Owners are those that the request says; else, a part stays where it was computed, but where several tasks
/// contribute to one entry, all goes to the first processor.
class Reduction {
 public:
  Reduction(const PreparedLaunch& prepared, const DistributedRequest& request, Communicator& ranks);

  /// `mine`: what the tasks of this rank computed, in order. Collective.
  DistributedTensor of(std::vector<Contribution> mine);
  const Traffic& traffic() const { return traffic_; }

 private:
  /// A contribution of any rank, which all know of from the plan.
  struct Known {
    std::int64_t processor;
    std::vector<IndexSet> region;
  };

  const LaunchPlan& plan() const { return prepared_.plan; }
  bool adds() const;
  TensorPlacement owners() const;
  int rank_of(std::int64_t processor) const;
  /// What one owner gets; empty where it is of another rank.
  std::optional<LocalPart> collected(const TensorPlacement::Part& part, std::int64_t owner,
                                     const std::vector<LocalPart>& mine);
  void send_to(const TensorPlacement::Part& part, std::int64_t owner, const std::vector<LocalPart>& mine);
  LocalPart old_values(const std::vector<IndexSet>& region) const;

  const PreparedLaunch& prepared_;
  const DistributedRequest& request_;
  Communicator& ranks_;
  std::vector<std::int64_t> dimensions_;
  PartShape shape_;
  std::vector<Known> known_;
  Traffic traffic_;
};

}  // namespace lacuna

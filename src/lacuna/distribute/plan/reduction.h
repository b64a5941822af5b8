#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// How the result comes together: what tasks contribute, and to whom it goes. Known from the plan, before anything is
/// computed.
struct ReductionPlan {
  /// What a task computes of a region of the result, in one step or several, which it adds up. It is sent to the owners
  /// while the step after the last one is computed.
  struct Contribution {
    std::size_t task = 0;
    std::vector<IndexSet> region;
    std::size_t first_step = 0, last_step = 0;
    std::size_t buffer = 0;  // of the task: a later contribution of this size has the same one
  };
  /// Of two tasks that contribute to the same: one adds the other's contribution to its own.
  struct Addition {
    std::size_t from = 0, into = 0;  // contributions
  };
  std::vector<Contribution> contributions;  // in the order of their last steps, then of their first ones, then of tasks
  TensorPlacement owners;
  std::vector<std::vector<Addition>> rounds = {};  // after the last step, before what is left goes to the owners
  std::vector<std::vector<std::size_t>> reaching;  // by part of the owners: the contributions to it, in order
  bool adds = false;                               // there are several to an entry, or to what it held before

  /// Whether some contributions are complete before the last step of so many.
  bool ends_early(std::size_t steps) const;
  /// Who computes a contribution.
  std::int64_t processor_of(const LaunchPlan& plan, std::size_t contribution) const {
    return plan.tasks[contributions[contribution].task].processor;
  }
  /// The contribution of a task to a region.
  std::size_t of(std::size_t task, const std::vector<IndexSet>& region) const;

  std::vector<std::vector<std::size_t>> by_task;
};

/// `placed`: where the result is asked to be; none: a part stays where it is computed, but where several tasks
/// contribute to one entry, all goes to the first processor. `accumulates`: to what the result held before. Where many
/// dense contributions go to one owner, the tasks add them up in a tree.
ReductionPlan plan_reduction(const LaunchPlan& plan, std::optional<TensorPlacement> placed, bool accumulates,
                             bool is_dense);
/// Where each of the parts, maybe cut by what is stored, is what one of these tasks computes, in order.
ReductionPlan plan_reduction(const LaunchPlan& plan, TensorPlacement placed, const std::vector<std::size_t>& tasks);

}  // namespace lacuna

#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// How the result comes together: what tasks contribute, and to whom it goes. Known from the plan, before anything is
/// computed.
struct ReductionPlan {
  /// What a task computes of a region of the result, in one step or several, which it adds up.
  struct Contribution {
    std::size_t task = 0;
    std::vector<IndexSet> region;
  };
  std::vector<Contribution> contributions;  // in the order of the steps in which they begin, and of tasks
  TensorPlacement owners;
  std::vector<std::vector<std::size_t>> reaching;  // by part of the owners: the contributions to it, in order
  bool adds = false;                               // there are several to an entry, or to what it held before

  /// The contribution of a task to a region.
  std::size_t of(std::size_t task, const std::vector<IndexSet>& region) const;

  std::vector<std::vector<std::size_t>> by_task;
};

/// `placed`: where the result is asked to be; none: a part stays where it is computed, but where several tasks
/// contribute to one entry, all goes to the first processor. `accumulates`: to what the result held before.
ReductionPlan plan_reduction(const LaunchPlan& plan, std::optional<TensorPlacement> placed, bool accumulates);
/// Where each of the parts, maybe cut by what is stored, is what one of these tasks computes, in order.
ReductionPlan plan_reduction(const LaunchPlan& plan, TensorPlacement placed, const std::vector<std::size_t>& tasks);

}  // namespace lacuna

#include "lacuna/distribute/plan/plan.h"

#include <algorithm>
#include <unordered_map>

#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/plan/fetchers.h"
#include "lacuna/distribute/plan/holders.h"
#include "lacuna/distribute/plan/parts_near.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using launch::Operand;

using Region = std::vector<IndexSet>;

class Planner {
 public:
  explicit Planner(LaunchPlan plan) : plan_(std::move(plan)) {
    const std::size_t operands = plan_.launch.operands.size();
    held_.assign(operands, std::vector<Region>(plan_.tasks.size()));
    next_ = held_;
    parts_.resize(operands);
    own_.resize(operands);
    copies_.resize(operands);
    for (std::size_t o = 0; o < operands; ++o) {
      const std::vector<TensorPlacement::Part>& parts = plan_.placements[o].parts;
      for (std::size_t p = 0; p < parts.size(); ++p)
        if (!parts[p].what.cuts_positions()) parts_[o].add(&parts[p].what.coordinates, static_cast<std::int64_t>(p));
      for (std::size_t p = 0; p < parts.size(); ++p)
        for (const std::int64_t holder : parts[p].processors) own_[o][plan_.machine.memory_of(holder)].push_back(p);
      near_.emplace_back(parts);
    }
  }

  LaunchPlan make() {
    std::vector<LaunchStep> steps;
    add_steps(0, {}, steps);
    plan_.fetchers = fetchers_of(plan_, steps);
    for (LaunchStep& step : steps) plan_step(std::move(step));
    return std::move(plan_);
  }

 private:
  /// Those under the first k loops, without transfers.
  void add_steps(std::size_t k, const launch::Values& at, std::vector<LaunchStep>& steps) const {
    if (k == plan_.launch.loops.size()) return steps.push_back({at, {}});
    const launch::Loop& loop = plan_.launch.loops[k];
    if (loop.distributed) return add_steps(k + 1, at, steps);
    for (std::int64_t turn = 0; turn < loop.trips; ++turn) {
      launch::Values here = at;
      here[loop.variable] = turn;
      add_steps(k + 1, here, steps);
    }
  }

  void plan_step(LaunchStep step) {
    for (std::size_t o = 0; o < plan_.launch.operands.size(); ++o) {
      for (std::size_t t = 0; t < plan_.tasks.size(); ++t) {
        if (plan_.fetcher(o, t) != t) continue;
        const Region region = plan_.region_of(plan_.launch.operands[o], plan_.tasks[t], step);
        if (!plan_.steps.empty() && region == held_[o][t]) continue;
        fetch(step, o, t, region);
        next_[o][t] = region;
      }
    }
    held_ = next_;
    for (std::size_t o = 0; o < held_.size(); ++o) {
      copies_[o].clear();
      if (is_dealt(o)) continue;
      for (std::size_t t = 0; t < plan_.tasks.size(); ++t)
        if (plan_.fetcher(o, t) == t) copies_[o].add(&held_[o][t], static_cast<std::int64_t>(t));
    }
    plan_.steps.push_back(std::move(step));
  }

  bool is_dealt(std::size_t o) const { return plan_.launch.deals_out(o); }

  void fetch(LaunchStep& step, std::size_t o, std::size_t t, const Region& region) {
    if (volume_of(region) == 0) return;
    const Task& task = plan_.tasks[t];
    Transfer transfer{static_cast<int>(o), static_cast<std::int64_t>(t), task.processor, {}, {}, {region, {}}};
    transfer.what.positions.resize(region.size());
    if (is_dealt(o)) {
      transfer.what.positions[static_cast<std::size_t>(plan_.launch.positions->level)] = task.positions;
      if (task.stretch) transfer.what.stretches.push_back(*task.stretch);
    } else if (fetch_whole(step, transfer, region, task)) return;
    const std::vector<TensorPlacement::Part>& parts = plan_.placements[o].parts;
    near_[o].for_each(transfer.what, [&](std::size_t p) {
      Restriction both = common(parts[p].what, transfer.what);
      if (is_empty(both)) return;
      Transfer some = transfer;
      some.what = std::move(both);
      some.part = static_cast<std::int64_t>(p);
      some.from = sender(parts[p].processors, task.processor);
      step.transfers.push_back(std::move(some));
    });
  }

  /// From one processor that has all of the region as it is: itself, or the nearest. Not from another one where some of
  /// it lies in the task's own memory: that does not move.
  bool fetch_whole(LaunchStep& step, Transfer transfer, const Region& region, const Task& task) {
    std::int64_t best = -1;
    const auto consider = [&](std::int64_t processor, std::optional<std::int64_t> part,
                              std::optional<std::int64_t> neighbour) {
      const std::int64_t away = distance(plan_.machine, processor, task.processor);
      if (best >= 0 && best <= away) return;
      best = away;
      transfer.from = away == 0 ? task.processor : processor;
      transfer.part = part;
      transfer.neighbour = neighbour;
    };
    const auto o = static_cast<std::size_t>(transfer.operand);
    parts_[o].for_each(region, [&](std::int64_t p) {
      const TensorPlacement::Part& part = plan_.placements[o].parts[static_cast<std::size_t>(p)];
      consider(nearest(plan_.machine, part.processors, task.processor), p, {});
    });
    if (best != 0)
      copies_[o].for_each(region,
                          [&](std::int64_t t) { consider(plan_.tasks[static_cast<std::size_t>(t)].processor, {}, t); });
    if (best < 0 || (best > 0 && has_some(o, task, transfer.what))) return false;
    step.transfers.push_back(std::move(transfer));
    return true;
  }

  /// Whether the memory of a task has a part of this.
  bool has_some(std::size_t o, const Task& task, const Restriction& what) const {
    const auto own = own_[o].find(plan_.machine.memory_of(task.processor));
    if (own == own_[o].end()) return false;
    return std::any_of(own->second.begin(), own->second.end(),
                       [&](std::size_t p) { return !is_empty(common(plan_.placements[o].parts[p].what, what)); });
  }

  /// The nearest; oneself where that is in one's own memory.
  std::int64_t sender(const std::vector<std::int64_t>& processors, std::int64_t to) const {
    const std::int64_t from = nearest(plan_.machine, processors, to);
    return distance(plan_.machine, from, to) == 0 ? to : from;
  }

  LaunchPlan plan_;
  std::vector<std::vector<Region>> held_, next_;                                 // by operand and task
  std::vector<Holders> parts_, copies_;                                          // by operand
  std::vector<PartsNear> near_;                                                  // likewise
  std::vector<std::unordered_map<std::int64_t, std::vector<std::size_t>>> own_;  // likewise: parts, by memory
};

}  // namespace

launch::Values LaunchPlan::at(const Task& task, const LaunchStep& step) const {
  launch::Values all = task.at;
  all.insert(step.at.begin(), step.at.end());
  return all;
}

std::vector<IndexSet> LaunchPlan::region_of(const Operand& operand, const Task& task, const LaunchStep& step) const {
  std::vector<IndexSet> region = launch.region_of(operand, at(task, step));
  for (std::size_t m = 0; m < region.size(); ++m) {
    const auto fewer = task.narrowed.find(operand.indices[m].name());
    if (fewer != task.narrowed.end()) region[m] = region[m] & fewer->second;
  }
  return region;
}

std::vector<IndexSet> LaunchPlan::used_of(const Operand& operand, const Task& task, const LaunchStep& step) const {
  Operand inside = operand;
  inside.depth = static_cast<int>(launch.loops.size());
  return region_of(inside, task, step);
}

bool LaunchPlan::is_fetched_once(const Operand& operand) const {
  // No step comes to another iteration of the loops around the fetch.
  return steps.size() <= 1 || std::all_of(launch.loops.begin(), launch.loops.begin() + operand.depth,
                                          [](const launch::Loop& loop) { return loop.distributed; });
}

bool LaunchPlan::contributes(const Task& task, const LaunchStep& step) const {
  return !step.only_moves && launch.computes(at(task, step)) && volume_of(used_of(launch.result, task, step)) > 0;
}

LaunchPlan make_plan(launch::Launch launch, const Machine& machine, std::vector<TensorPlacement> placements,
                     std::vector<Task> tasks) {
  internal_check(placements.size() == launch.operands.size(), "{} placements of {} operands", placements.size(),
                 launch.operands.size());
  return Planner({std::move(launch), machine, std::move(placements), std::move(tasks), {}}).make();
}

}  // namespace lacuna

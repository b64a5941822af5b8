#include "lacuna/distribute/plan/reduction.h"

#include <algorithm>

#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/plan/holders.h"
#include "lacuna/distribute/plan/parts_near.h"
#include "lacuna/distribute/plan/tree_sums.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using Region = std::vector<IndexSet>;

std::optional<std::size_t> find(const ReductionPlan& plan, std::size_t task, const Region& region) {
  for (const std::size_t k : plan.by_task[task])
    if (plan.contributions[k].region == region) return k;
  return std::nullopt;
}

void find_contributions(const LaunchPlan& plan, ReductionPlan& out) {
  out.by_task.resize(plan.tasks.size());
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
      if (!plan.contributes(plan.tasks[t], plan.steps[s])) continue;
      Region region = plan.used_of(plan.launch.result, plan.tasks[t], plan.steps[s]);
      if (const auto known = find(out, t, region)) {
        out.contributions[*known].last_step = s;
        continue;
      }
      out.by_task[t].push_back(out.contributions.size());
      out.contributions.push_back({t, std::move(region), s, s});
    }
  }
}

void sort_by_last_step(ReductionPlan& out) {
  std::stable_sort(out.contributions.begin(), out.contributions.end(),
                   [](const auto& a, const auto& b) { return a.last_step < b.last_step; });
  for (std::vector<std::size_t>& of_task : out.by_task) of_task.clear();
  for (std::size_t k = 0; k < out.contributions.size(); ++k) out.by_task[out.contributions[k].task].push_back(k);
}

/// By contribution: whether it is a part of the result as it is.
std::vector<bool> become_parts(const ReductionPlan& plan) {
  std::vector<bool> all(plan.contributions.size());
  for (std::size_t p = 0; p < plan.reaching.size(); ++p)
    if (plan.reaching[p].size() == 1) {
      const std::size_t k = plan.reaching[p].front();
      all[k] = all[k] || plan.contributions[k].region == plan.owners.parts[p].what.coordinates;
    }
  return all;
}

/// A buffer is sent in the step after its last one, and free in the one after that.
void assign_buffers(ReductionPlan& out) {
  struct Buffer {
    std::vector<std::int64_t> sizes;  // by mode
    std::optional<std::size_t> free_from;
  };
  const std::vector<bool> stays = become_parts(out);
  for (const std::vector<std::size_t>& of_task : out.by_task) {
    std::vector<std::size_t> in_order = of_task;
    std::stable_sort(in_order.begin(), in_order.end(), [&](std::size_t a, std::size_t b) {
      return out.contributions[a].first_step < out.contributions[b].first_step;
    });
    std::vector<Buffer> buffers;
    for (const std::size_t k : in_order) {
      ReductionPlan::Contribution& each = out.contributions[k];
      std::vector<std::int64_t> sizes;
      for (const IndexSet& set : each.region) sizes.push_back(set.size());
      auto buffer = std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& b) {
        return b.sizes == sizes && b.free_from && *b.free_from <= each.first_step;
      });
      if (buffer == buffers.end()) buffer = buffers.insert(buffer, {sizes, {}});
      buffer->free_from = stays[k] ? std::nullopt : std::optional(each.last_step + 2);
      each.buffer = static_cast<std::size_t>(buffer - buffers.begin());
    }
  }
}

TensorPlacement where_computed(const LaunchPlan& plan, const ReductionPlan& reduction) {
  TensorPlacement out;
  Region all;
  for (const IndexVar& v : plan.launch.result.indices) all.push_back(plan.launch.values_of(v, {}));
  const std::vector<std::optional<IndexSet>> positions(all.size());
  if (reduction.adds || reduction.contributions.empty()) out.parts.push_back({{all, positions}, {0}});
  else
    for (const ReductionPlan::Contribution& each : reduction.contributions)
      out.parts.push_back({{each.region, positions}, {plan.machine.first_beside(plan.tasks[each.task].processor)}});
  return out;
}

/// Parts that are cut by coordinates have no coordinate in common, so that one that is all of a contribution's region
/// is the only one.
void find_reaching(ReductionPlan& out) {
  const std::vector<TensorPlacement::Part>& parts = out.owners.parts;
  out.reaching.resize(parts.size());
  const bool disjoint = std::none_of(parts.begin(), parts.end(), [](const auto& p) { return p.what.cuts_positions(); });
  const PartsNear near(parts);
  Holders same;
  for (std::size_t p = 0; p < parts.size() && disjoint; ++p)
    same.add(&parts[p].what.coordinates, static_cast<std::int64_t>(p));
  for (std::size_t k = 0; k < out.contributions.size(); ++k) {
    const Region& region = out.contributions[k].region;
    std::optional<std::size_t> only;
    same.for_each(region, [&](std::int64_t p) { only = static_cast<std::size_t>(p); });
    if (only) {
      if (volume_of(region) > 0) out.reaching[*only].push_back(k);
      continue;
    }
    near.for_each({region, {}}, [&](std::size_t p) {
      if (volume_of(common(region, parts[p].what.coordinates)) > 0) out.reaching[p].push_back(k);
    });
  }
}

}  // namespace

bool ReductionPlan::ends_early(std::size_t steps) const {
  return std::any_of(contributions.begin(), contributions.end(),
                     [&](const Contribution& each) { return each.last_step + 1 < steps; });
}

std::size_t ReductionPlan::of(std::size_t task, const Region& region) const {
  const std::optional<std::size_t> found = find(*this, task, region);
  internal_check(found.has_value(), "task {} contributes what nobody planned", task);
  return *found;
}

ReductionPlan plan_reduction(const LaunchPlan& plan, std::optional<TensorPlacement> placed, bool accumulates,
                             bool is_dense) {
  ReductionPlan out;
  out.adds = plan.launch.adds_up_tasks() || accumulates;
  find_contributions(plan, out);
  sort_by_last_step(out);
  out.owners = placed ? std::move(*placed) : where_computed(plan, out);
  find_reaching(out);
  if (is_dense && out.adds) add_up_in_trees(plan, out);
  assign_buffers(out);
  return out;
}

ReductionPlan plan_reduction(const LaunchPlan& plan, TensorPlacement placed, const std::vector<std::size_t>& tasks) {
  ReductionPlan out;
  find_contributions(plan, out);
  sort_by_last_step(out);
  out.owners = std::move(placed);
  for (const std::size_t task : tasks) out.reaching.push_back(out.by_task[task]);
  assign_buffers(out);
  return out;
}

}  // namespace lacuna

#include "lacuna/distribute/plan/reduction.h"

#include <algorithm>

#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/plan/holders.h"
#include "lacuna/distribute/plan/parts_near.h"

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
  for (const LaunchStep& step : plan.steps) {
    for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
      if (!plan.contributes(plan.tasks[t], step)) continue;
      Region region = plan.used_of(plan.launch.result, plan.tasks[t], step);
      if (find(out, t, region)) continue;
      out.by_task[t].push_back(out.contributions.size());
      out.contributions.push_back({t, std::move(region)});
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

std::size_t ReductionPlan::of(std::size_t task, const Region& region) const {
  const std::optional<std::size_t> found = find(*this, task, region);
  internal_check(found.has_value(), "task {} contributes what nobody planned", task);
  return *found;
}

ReductionPlan plan_reduction(const LaunchPlan& plan, std::optional<TensorPlacement> placed, bool accumulates) {
  ReductionPlan out;
  out.adds = plan.launch.adds_up_tasks() || accumulates;
  find_contributions(plan, out);
  out.owners = placed ? std::move(*placed) : where_computed(plan, out);
  find_reaching(out);
  return out;
}

ReductionPlan plan_reduction(const LaunchPlan& plan, TensorPlacement placed, const std::vector<std::size_t>& tasks) {
  ReductionPlan out;
  find_contributions(plan, out);
  out.owners = std::move(placed);
  for (const std::size_t task : tasks) out.reaching.push_back(out.by_task[task]);
  return out;
}

}  // namespace lacuna

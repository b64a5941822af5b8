#include <algorithm>

#include <fmt/format.h>

#include "lacuna/distribute/plan/print.h"
#include "lacuna/distribute/run/execute.h"
#include "lacuna/distribute/run/result_routes.h"

namespace lacuna {
namespace {

constexpr std::size_t most_lines = 16;  // as of a step

/// Whether another contribution has some of what this one has.
bool is_added_to_others(const ReductionPlan& reduction, const ResultRoute& route) {
  const std::vector<IndexSet>& region = reduction.contributions[route.contribution].region;
  const std::vector<std::size_t>& reaching = reduction.reaching[route.part];
  return std::any_of(reaching.begin(), reaching.end(), [&](std::size_t k) {
    return k != route.contribution && volume_of(common(reduction.contributions[k].region, region)) > 0;
  });
}

/// Who adds what to the same of its own.
std::string describe_round(const PreparedLaunch& prepared, const std::vector<ReductionPlan::Addition>& round) {
  const LaunchPlan& plan = prepared.plan;
  const auto processor_of = [&](std::size_t k) {
    return plan.tasks[prepared.reduction.contributions[k].task].processor;
  };
  std::string out = "sums\n";
  std::size_t moved = 0;
  for (const auto& [from, into] : round) {
    if (distance(plan.machine, processor_of(from), processor_of(into)) == 0 || ++moved > most_lines) continue;
    const std::string region = region_text(prepared.reduction.contributions[from].region);
    out += fmt::format("  {} gets {}{}{} from {}, and adds it up\n", processor_text(plan.machine, processor_of(into)),
                       plan.launch.result.name, region.empty() ? "" : " ", region,
                       processor_text(plan.machine, processor_of(from)));
  }
  if (moved == 0) out += "  nothing moves\n";
  if (moved > most_lines) out += fmt::format("  … {} transfers in all\n", moved);
  return out;
}

/// Who sends what of the result to whom.
std::string describe_result(const PreparedLaunch& prepared) {
  const LaunchPlan& plan = prepared.plan;
  std::string out;
  for (const std::vector<ReductionPlan::Addition>& round : prepared.reduction.rounds)
    out += describe_round(prepared, round);
  out += "then\n";
  std::size_t moved = 0;
  for_each_route(prepared, static_cast<int>(plan.machine.memories()), [&](ResultRoute&& route) {
    const std::size_t task = prepared.reduction.contributions[route.contribution].task;
    const std::int64_t from = plan.tasks[task].processor;
    for (const std::int64_t owner : route.owners) {
      if (distance(plan.machine, from, owner) == 0 || ++moved > most_lines) continue;
      const std::string region = region_text(region_of(prepared, route));
      out += fmt::format("  {} gets {}{}{} from {}{}\n", processor_text(plan.machine, owner), plan.launch.result.name,
                         region.empty() ? "" : " ", region, processor_text(plan.machine, from),
                         is_added_to_others(prepared.reduction, route) ? ", and adds it up" : "");
    }
  });
  if (moved == 0) out += "  nothing moves\n";
  if (moved > most_lines) out += fmt::format("  … {} transfers in all\n", moved);
  return out;
}

}  // namespace

std::string describe_plan(const DistributedRequest& request) {
  const std::unique_ptr<Communicator> planner = nobody();
  return describe_plan(request, *planner);
}

std::string describe_plan(const DistributedRequest& request, Communicator& ranks) {
  const PreparedLaunch prepared = prepare_launch(request, ranks);
  return prepared.plan.to_string(most_lines) + describe_result(prepared);
}

}  // namespace lacuna

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

/// What moves of the result, the first lines of it.
class ResultTransfers {
 public:
  explicit ResultTransfers(const LaunchPlan& plan) : plan_(plan) {}

  template <typename Region>
  void add(std::int64_t from, std::int64_t to, const Region& region, bool is_added) {
    if (distance(plan_.machine, from, to) == 0 || ++moved_ > most_lines) return;
    const std::string what = region_text(region());
    lines_ += fmt::format("  {} gets {}{}{} from {}{}\n", processor_text(plan_.machine, to), plan_.launch.result.name,
                          what.empty() ? "" : " ", what, processor_text(plan_.machine, from),
                          is_added ? ", and adds it up" : "");
  }
  std::string text(const std::string& heading) const {
    std::string out = heading + "\n" + lines_;
    if (moved_ == 0) out += "  nothing moves\n";
    if (moved_ > most_lines) out += fmt::format("  … {} transfers in all\n", moved_);
    return out;
  }

 private:
  const LaunchPlan& plan_;
  std::string lines_;
  std::size_t moved_ = 0;
};

/// Who sends what of the result to whom.
std::string describe_result(const PreparedLaunch& prepared) {
  const LaunchPlan& plan = prepared.plan;
  const ReductionPlan& reduction = prepared.reduction;
  std::string out;
  for (const std::vector<ReductionPlan::Addition>& round : reduction.rounds) {
    ResultTransfers sums(plan);
    for (const ReductionPlan::Addition& each : round)
      sums.add(
          reduction.processor_of(plan, each.from), reduction.processor_of(plan, each.into),
          [&] { return reduction.contributions[each.from].region; }, true);
    out += sums.text("sums");
  }
  ResultTransfers last(plan);
  for_each_route(prepared, static_cast<int>(plan.machine.memories()), [&](ResultRoute&& route) {
    for (const std::int64_t owner : route.owners)
      last.add(
          reduction.processor_of(plan, route.contribution), owner, [&] { return region_of(prepared, route); },
          is_added_to_others(reduction, route));
  });
  return out + last.text("then");
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

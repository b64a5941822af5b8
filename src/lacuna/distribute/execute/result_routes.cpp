#include "lacuna/distribute/execute/result_routes.h"

namespace lacuna {
namespace {

std::int64_t sender(const PreparedLaunch& prepared, std::size_t contribution) {
  return prepared.plan.tasks[prepared.reduction.contributions[contribution].task].processor;
}

/// The owners of a part that a rank plays, by rank.
std::map<int, std::vector<std::int64_t>> owners_by_rank(const PreparedLaunch& prepared, std::size_t part, int ranks) {
  std::map<int, std::vector<std::int64_t>> by_rank;
  for (const std::int64_t owner : prepared.reduction.owners.parts[part].processors)
    by_rank[rank_of(owner, prepared.plan.machine.processors(), ranks)].push_back(owner);
  return by_rank;
}

}  // namespace

ResultRoutes routes_of(const PreparedLaunch& prepared, const Communicator& ranks) {
  const ReductionPlan& reduction = prepared.reduction;
  const bool converts = prepared.accumulates || prepared.sum_type != prepared.result_type;
  ResultRoutes all;
  for (std::size_t p = 0; p < reduction.owners.parts.size(); ++p) {
    const std::vector<IndexSet>& whole = reduction.owners.parts[p].what.coordinates;
    const std::vector<std::size_t>& reaching = reduction.reaching[p];
    const bool is_one = reaching.size() == 1 && !converts && reduction.contributions[reaching[0]].region == whole;
    for (const auto& [to, owners] : owners_by_rank(prepared, p, ranks.ranks())) {
      if (to == ranks.rank() && reaching.empty()) all.gathered[p];
      for (const std::size_t k : reaching) {
        const int from = rank_of(sender(prepared, k), prepared.plan.machine.processors(), ranks.ranks());
        ResultRoute route{p, k, from, to, owners, common(reduction.contributions[k].region, whole)};
        if (to == ranks.rank()) (is_one && from == to ? all.all_here : all.gathered[p]).push_back(std::move(route));
        else if (from == ranks.rank()) all.outgoing.push_back(std::move(route));
      }
    }
  }
  return all;
}

void count(Traffic& traffic, const PreparedLaunch& prepared, const ResultRoute& route, std::int64_t bytes) {
  for (const std::int64_t owner : route.owners)
    count(traffic, prepared.plan.machine, bytes, sender(prepared, route.contribution), owner);
}

}  // namespace lacuna

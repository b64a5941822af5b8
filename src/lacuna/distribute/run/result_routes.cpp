#include "lacuna/distribute/run/result_routes.h"

#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

std::int64_t sender(const PreparedLaunch& prepared, std::size_t contribution) {
  return prepared.reduction.processor_of(prepared.plan, contribution);
}

/// The owners of a part that a rank plays, by rank.
std::map<int, std::vector<std::int64_t>> owners_by_rank(const PreparedLaunch& prepared, std::size_t part, int ranks) {
  std::map<int, std::vector<std::int64_t>> by_rank;
  for (const std::int64_t owner : prepared.reduction.owners.parts[part].processors)
    by_rank[rank_of(owner, prepared.plan.machine, ranks)].push_back(owner);
  return by_rank;
}

}  // namespace

void for_each_route(const PreparedLaunch& prepared, int ranks, const std::function<void(ResultRoute&&)>& f) {
  const ReductionPlan& reduction = prepared.reduction;
  const bool changes = prepared.accumulates || prepared.sum_type != prepared.result_type;
  for (std::size_t p = 0; p < reduction.owners.parts.size(); ++p) {
    const std::vector<std::size_t>& reaching = reduction.reaching[p];
    const bool is_all = reaching.size() == 1 && !changes &&
                        reduction.contributions[reaching[0]].region == reduction.owners.parts[p].what.coordinates;
    for (const auto& [to, owners] : owners_by_rank(prepared, p, ranks))
      for (const std::size_t k : reaching)
        f({p, k, rank_of(sender(prepared, k), prepared.plan.machine, ranks), to, owners, is_all});
  }
}

std::vector<IndexSet> region_of(const PreparedLaunch& prepared, const ResultRoute& route) {
  return common(prepared.reduction.contributions[route.contribution].region,
                prepared.reduction.owners.parts[route.part].what.coordinates);
}

ResultRoutes routes_of(const PreparedLaunch& prepared, const Communicator& ranks) {
  ResultRoutes all;
  const std::vector<TensorPlacement::Part>& parts = prepared.reduction.owners.parts;
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (prepared.reduction.reaching[p].empty() && owners_by_rank(prepared, p, ranks.ranks()).count(ranks.rank()) != 0)
      all.gathered[p];
  for_each_route(prepared, ranks.ranks(), [&](ResultRoute&& route) {
    if (route.from != ranks.rank() && route.to != ranks.rank()) return;
    route.region = region_of(prepared, route);
    if (route.to != ranks.rank()) all.outgoing.push_back(std::move(route));
    else if (route.stays_as_it_is()) all.all_here.push_back(std::move(route));
    else all.gathered[route.part].push_back(std::move(route));
  });
  return all;
}

void set_part(DistributedTensor& result, const PreparedLaunch& prepared, std::size_t part, const LocalPart& sum) {
  const auto number = static_cast<std::int64_t>(part);
  if (prepared.result_type == sum.storage.type) return result.set_part(number, sum);
  result.set_part(number, LocalPart{sum.sets, convert_type(sum.storage, prepared.result_type)});
}

void count(Traffic& traffic, const PreparedLaunch& prepared, const ResultRoute& route, std::int64_t bytes) {
  for (const std::int64_t owner : route.owners)
    count(traffic, prepared.plan.machine, bytes, sender(prepared, route.contribution), owner);
}

}  // namespace lacuna

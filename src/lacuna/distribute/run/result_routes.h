#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// What the tasks of a rank computed, by the number of the contribution (ReductionPlan).
using Contributions = std::map<std::size_t, LocalPart*>;

/// What a part of the result held before, in the type of sums; none where that does not matter.
using OldPart = std::function<LocalPart(std::size_t part)>;

/// A contribution on its way to a rank that plays owners of a part of the result.
struct ResultRoute {
  std::size_t part = 0, contribution = 0;
  int from = 0, to = 0;               // ranks; the same where it stays
  std::vector<std::int64_t> owners;   // processors
  bool is_all = false;                // it is the part as it is
  std::vector<IndexSet> region = {};  // what of the part it has

  bool is_sent() const { return from != to; }
  bool stays_as_it_is() const { return is_all && !is_sent(); }
};

/// Calls f with each route among so many ranks, in the order in which what one sends to another arrives; their regions
/// are not there yet (region_of), since they take long to find.
void for_each_route(const PreparedLaunch& prepared, int ranks, const std::function<void(ResultRoute&&)>& f);
std::vector<IndexSet> region_of(const PreparedLaunch& prepared, const ResultRoute& route);

/// How a result comes together, as one rank sees it. What a rank sends to another arrives in this order.
struct ResultRoutes {
  std::vector<ResultRoute> outgoing;                         // to other ranks
  std::vector<ResultRoute> all_here;                         // contributions that are parts of this rank as they are
  std::map<std::size_t, std::vector<ResultRoute>> gathered;  // by other part of this rank: what reaches it, in order
};
ResultRoutes routes_of(const PreparedLaunch& prepared, const Communicator& ranks);

/// Sets a part of the result that was added up in the type of sums.
void set_part(DistributedTensor& result, const PreparedLaunch& prepared, std::size_t part, const LocalPart& sum);

/// Counts so many bytes that went along a route to each owner.
void count(Traffic& traffic, const PreparedLaunch& prepared, const ResultRoute& route, std::int64_t bytes);

}  // namespace lacuna

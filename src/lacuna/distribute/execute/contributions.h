#pragma once

#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/execute/execute.h"
#include "lacuna/distribute/execute/prepare.h"

namespace lacuna {

/// Counts so many bytes that go from one processor to another; within one, nothing moves.
void count(Traffic& traffic, const Machine& machine, std::int64_t bytes, std::int64_t from, std::int64_t to);
void add(Traffic& sum, const Traffic& more);

/// Puts what the ranks report together: all of it on each. Collective.
void add_up(DistributedReport& report, Communicator& ranks);

/// What the tasks of a rank computed, by the number of the contribution (ReductionPlan).
using Contributions = std::map<std::size_t, LocalPart>;

/// Brings contributions to the processors that own the result, where they are added up in their order.
class Reduction {
 public:
  Reduction(const PreparedLaunch& prepared, const DistributedRequest& request, Communicator& ranks);

  /// Collective.
  DistributedTensor of(const Contributions& mine);
  const Traffic& traffic() const { return traffic_; }

 private:
  int rank_of(std::int64_t processor) const;
  std::int64_t processor_of(std::size_t contribution) const;
  void send_to(std::size_t part, std::int64_t owner, const Contributions& mine);
  /// What an owner of this rank gets.
  LocalPart collected(std::size_t part, std::int64_t owner, const Contributions& mine);
  LocalPart old_values(const std::vector<IndexSet>& region);

  const PreparedLaunch& prepared_;
  const DistributedRequest& request_;
  Communicator& ranks_;
  PartShape shape_;
  std::optional<LocalPart> old_;
  Traffic traffic_;
};

}  // namespace lacuna

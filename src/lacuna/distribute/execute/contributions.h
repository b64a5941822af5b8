#pragma once

#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/execute/execute.h"
#include "lacuna/distribute/execute/prepare.h"

namespace lacuna {

/// What the tasks of a rank computed, by the number of the contribution (ReductionPlan).
using Contributions = std::map<std::size_t, LocalPart>;

/// Brings contributions to the processors that own the result, where they are added up in their order.
class Reduction {
 public:
  /// `old`: what the result held before, where it accumulates.
  Reduction(const PreparedLaunch& prepared, const DistributedTensor* old, Communicator& ranks);

  /// Collective.
  DistributedTensor of(const Contributions& mine);
  /// What this rank counted.
  const Traffic& traffic() const { return traffic_; }

 private:
  int rank_of(std::int64_t processor) const;
  std::int64_t processor_of(std::size_t contribution) const;
  void send_to(std::size_t part, std::int64_t owner, const Contributions& mine);
  /// What an owner of this rank gets.
  LocalPart collected(std::size_t part, std::int64_t owner, const Contributions& mine);
  LocalPart old_values(std::size_t part);

  const PreparedLaunch& prepared_;
  const DistributedTensor* old_;
  Communicator& ranks_;
  PartShape shape_;
  Traffic traffic_;
};

}  // namespace lacuna

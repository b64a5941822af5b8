#pragma once

#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/execute/execute.h"
#include "lacuna/distribute/execute/prepare.h"

namespace lacuna {

/// What the tasks of a rank computed, by the number of the contribution (ReductionPlan).
using Contributions = std::map<std::size_t, const LocalPart*>;

/// Brings contributions to the processors that own the result, where they are added up in their order.
class Reduction {
 public:
  /// `prepared` outlives it.
  explicit Reduction(const PreparedLaunch& prepared);

  /// `old`: what the result held before, where it accumulates. `result` is written over: where it is what this made
  /// before, no memory is asked for but for values that somebody else holds. Collective.
  void run(const Contributions& mine, const DistributedTensor* old, Communicator& ranks,
           std::optional<DistributedTensor>& result);
  /// What this rank counted.
  const Traffic& traffic() const { return traffic_; }

 private:
  int rank_of(std::int64_t processor) const;
  std::int64_t processor_of(std::size_t contribution) const;
  void send_to(std::size_t part, std::int64_t owner, const Contributions& mine);
  /// The only contribution to a part, where that is all of it, as it is; else null.
  const LocalPart* all_of_it(std::size_t part, const Contributions& mine) const;
  /// What an owner of this rank gets.
  LocalPart collected(std::size_t part, std::int64_t owner, const Contributions& mine);
  LocalPart old_values(std::size_t part);

  const PreparedLaunch& prepared_;
  PartShape shape_;
  const DistributedTensor* old_ = nullptr;  // of this run
  Communicator* ranks_ = nullptr;
  Traffic traffic_;
};

}  // namespace lacuna

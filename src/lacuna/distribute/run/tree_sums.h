#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lacuna/distribute/comm/channel.h"
#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/run/result_routes.h"

namespace lacuna {

/// Adds dense contributions of tasks up in trees (ReductionPlan::rounds), run after run.
class TreeSums {
 public:
  TreeSums(const PreparedLaunch& prepared, const Communicator& ranks);

  /// Adds to those of this rank that others are added to. Collective.
  void run(const Contributions& mine, Communicator& ranks);
  /// What a run moves, as far as it comes to this rank.
  const Traffic& traffic() const { return traffic_; }

 private:
  struct Addition {
    std::size_t from, into;  // contributions
    int sender, receiver;    // ranks
    DenseCopy copy;
    Bytes buffer = {};  // of what comes from another rank
    Channel channel = {};
  };

  std::vector<std::vector<Addition>> rounds_;  // of this rank
  Traffic traffic_;
};

}  // namespace lacuna

#pragma once

#include <functional>
#include <vector>

#include "lacuna/distribute/communicate/communicator.h"

namespace lacuna {

/// Something of which a run of a plan consists, and which is measured.
struct Phase {
  std::function<void(int round)> run;
  bool talks = false;                               // to other ranks
  std::function<void(int round)> before = nullptr;  // what has to be done first, and does not count
};

/// Median seconds of phases that follow each other round after round, until rounds get no quicker: it takes caches a
/// while to keep what is used again and again, and each phase finds there what the others left. Each goes from where
/// all ranks have met to where all meet again, so that a rank counts what it waits for a processor, too. Collective;
/// the same on all ranks.
std::vector<double> median_times(Communicator& ranks, const std::vector<Phase>& phases);

/// The largest over the ranks. Collective: also a way to begin together.
double largest_over(Communicator& ranks, double mine);

/// How many ranks a processor of some computer has. Collective.
double most_ranks_per_processor(Communicator& ranks);

}  // namespace lacuna

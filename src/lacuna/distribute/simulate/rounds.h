#pragma once

#include <functional>
#include <vector>

#include "lacuna/distribute/simulate/shared_processors.h"

namespace lacuna {

/// Something of which a run of a plan consists, and which is measured.
struct Phase {
  std::function<void(int round)> run;
  bool talks = false;                               // to other ranks
  std::function<void(int round)> before = nullptr;  // what has to be done first, and does not count
};

/// Median seconds of phases that follow each other round after round, until rounds get no quicker: it takes caches a
/// while to keep what is used again and again, and each phase finds there what the others left. Of several such medians
/// the least, for what else goes on for a while slows some of them down. Each goes from where
/// all ranks have met to where all meet again; where ranks share processors, phases that do not talk count the time
/// that processors work. Collective; the same on all ranks.
std::vector<double> median_times(Communicator& ranks, const SharedProcessors& sharing,
                                 const std::vector<Phase>& phases);

/// The largest over the ranks. Collective: also a way to begin together.
double largest_over(Communicator& ranks, double mine);

}  // namespace lacuna

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "lacuna/distribute/simulate/shared_processors.h"

namespace lacuna {

/// Something of which a run of a plan consists, and which is measured.
struct Phase {
  std::function<void()> run;
  bool talks = false;                      // to other ranks
  std::function<void()> before = nullptr;  // what has to be done first, and does not count
};

/// When a rank ran a phase, and how long a processor worked on it.
struct PhaseRun {
  std::chrono::steady_clock::time_point begin = {}, end = {};
  double working = 0;  // seconds
};

/// Phases that follow each other round after round, so that each finds in caches what the others left. Each goes from
/// where all ranks have met to where all meet again; where ranks share processors, phases that do not talk count the
/// time that processors work. All calls are collective, and times are the same on all ranks.
class Rounds {
 public:
  /// Keeps the ranks and how they share.
  Rounds(Communicator& ranks, const SharedProcessors& sharing, std::vector<Phase> phases);

  /// Median seconds by phase of so many rounds at least, and more of what is quick, after some that do not count: it
  /// takes caches a while to keep what is used again and again.
  std::vector<double> medians(std::size_t least);
  /// Such medians until rounds get no quicker. Of each phase the least, for what else goes on for a while slows some of
  /// them down.
  std::vector<double> least_medians();

 private:
  void next();
  std::vector<double> next_medians(std::size_t least);

  Communicator& ranks_;
  const SharedProcessors& sharing_;
  std::vector<Phase> phases_;
  bool is_one_computer_;
  std::vector<double> last_;  // seconds by phase
  PhaseRun last_run_;         // of the phase before
  double spent_ = 0;          // seconds, in rounds that count
};

/// The largest over the ranks. Collective: also a way to begin together.
double largest_over(Communicator& ranks, double mine);

}  // namespace lacuna

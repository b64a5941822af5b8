#pragma once

#include <string>
#include <vector>

#include "bench/contest/measure.h"
#include "bench/kernels/lacuna.h"

namespace lacuna::contest {

/// What one contestant needed for one problem.
struct Timing {
  std::string name;
  double median = 0;               // milliseconds
  std::vector<double> times = {};  // every run
};

/// What became of one problem on some number of threads.
struct Outcome {
  std::string input;
  int threads = 1;
  std::vector<Timing> timings;     // Lacuna first
  std::string fastest;             // the fastest that is not Lacuna; empty when Lacuna ran alone or not at all
  Ratio speed;                     // of Lacuna over that one; how many times as fast
  double bandwidth = 0;            // the share of the read bandwidth that Lacuna reached by the byte model
  std::vector<std::string> notes;  // what failed, or disagreed
  bool wrong = false;              // someone's result differed
};

/// Who takes part besides Lacuna, and the read bandwidth by number of threads.
struct Field {
  std::vector<Peer> peers;
  std::map<int, double> bandwidths;
  Effort effort;
};

/// Lets all who offer the operation take turns at it, once their results agree. A contestant that fails or differs from
/// the rest is left out, with a note.
Outcome race(const Problem& problem, const std::string& schedule, int threads, LacunaContestants& lacuna,
             const Field& field);

}  // namespace lacuna::contest

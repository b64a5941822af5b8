#pragma once

#include <string>
#include <vector>

#include "bench/contest/measure.h"
#include "bench/loopnests/benchmark.h"

namespace lacuna::contest {

enum class Kind : std::uint8_t { OneNest, Separate, Fused, Automatic };

/// What one contestant needed.
struct Timing {
  Kind kind = Kind::Automatic;
  std::string name;
  double median = 0;          // milliseconds
  std::vector<double> times;  // every run
};

/// What became of one benchmark on one input and some number of threads.
struct Outcome {
  std::string input;
  int threads = 1;
  std::vector<Timing> timings;
  std::string best;                // the fastest that is not automatic
  Ratio speed;                     // of the automatic schedule over that one
  double fused = 0;                // speed of the best fused schedule over the best separate kernels; 0: not known
  double automatic = 0;            // the same of the automatic schedule
  std::vector<std::string> notes;  // who is left out, failed or disagreed
  bool wrong = false;

  /// The fastest of a kind, or null.
  const Timing* best_of(Kind kind) const;
};

/// Lets all ways to compute a benchmark take turns, once their results agree.
Outcome race(const Benchmark& benchmark, const std::string& input, const Storage& sparse, int threads, Engine& engine,
             const Effort& effort);

}  // namespace lacuna::contest

#pragma once

#include <functional>
#include <vector>

#include "bench/contest/contestant.h"

namespace lacuna::contest {

/// How long contestants take turns.
struct Effort {
  double seconds = 3;  // for all contestants of a problem together, once `least` rounds are done
  int least = 5;
  int most = 101;
  double patience = 1e30;  // who is this many times as slow as the fastest runs once and no more
};

/// Milliseconds of every run, by contestant and round. Each round lets every contestant run once, beginning with
/// another one each time, so that a slow moment of the machine meets all of them alike. Everyone goes once unmeasured
/// first; the quicker of two such runs is the only time of those who are too slow to wait for.
std::vector<std::vector<double>> take_turns(const std::vector<Contestant>& contestants, const Effort& effort);

/// A ratio of medians and the interval that holds it with 95 % confidence.
struct Ratio {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// median(of) / median(to) of runs that took turns. The interval is the percentile bootstrap's: 2000 times, rounds are
/// drawn with replacement (the same rounds for both, so that what disturbs a round disturbs both), from a fixed seed.
Ratio ratio_of_medians(const std::vector<double>& of, const std::vector<double>& to);

/// Bytes a second that a plain sum over an array of `bytes` reads on so many threads: the median of nine sums.
double read_bandwidth(std::int64_t bytes, int threads);

}  // namespace lacuna::contest

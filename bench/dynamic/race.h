#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/contest/contestant.h"
#include "bench/contest/measure.h"

namespace lacuna::contest {

/// Who takes part, and what is hoped for.
struct Entry {
  Contestant contestant;
  std::optional<double> most = std::nullopt;  // goal: this many times the time of the first entry at most
  double bytes = 0;                           // a stored entry, of the operand; 0: not told
};

/// Lets contestants take turns once their results agree with that of the first, and prints each median beside the
/// ratio of its time to that of the first with its 95 % interval. False where results disagree.
bool race(const std::string& title, const std::vector<Entry>& entries, const Effort& effort);

}  // namespace lacuna::contest

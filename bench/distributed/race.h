#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/contest/contestant.h"
#include "bench/contest/measure.h"
#include "bench/distributed/ranks.h"

namespace lacuna::contest {

/// Who takes part, and what is hoped for. All ranks run a contestant together, and all ask for its result, which the
/// first of them gets in one piece.
struct Entry {
  Contestant contestant;
  std::optional<double> least = std::nullopt;  // goal: the first entry is at least this many times as fast
  bool is_first_alone = false;                 // only the first rank runs it, and the others sleep
};

/// Milliseconds of a run, until the last rank is done. Collective.
double timed_run(Ranks& ranks, const Entry& entry);

/// Such times by entry and round. Each round begins with another entry; everyone goes once unmeasured first.
using Times = std::vector<std::vector<double>>;
Times take_turns(Ranks& ranks, const std::vector<Entry>& entries, const Effort& effort);

/// Lets contestants take turns once their results agree with that of the first, and prints each median beside how many
/// times as fast the first is, with the 95 % interval. False, on all ranks, where results disagree.
bool race(Ranks& ranks, const std::string& title, const std::vector<Entry>& entries, const Effort& effort);

}  // namespace lacuna::contest

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/plan/traffic.h"
#include "lacuna/distribute/sets/index_set.h"

namespace lacuna {

// What plans have to know of what others hold: sizes and sets of coordinates, never values. All of it is collective.

/// The numbers of every rank, by rank.
std::vector<std::vector<std::int64_t>> gather_numbers(Communicator& ranks, const std::vector<std::int64_t>& mine);

/// Each number added up over the ranks, which give as many.
std::vector<std::int64_t> sums_over(Communicator& ranks, const std::vector<std::int64_t>& mine);

/// What the ranks counted, put together: all of it on each.
Traffic sum_over(Communicator& ranks, const Traffic& mine);
/// The least of what ranks give, some of which may give none.
std::optional<std::int64_t> least_over(Communicator& ranks, std::optional<std::int64_t> mine);

/// The largest of what ranks give.
double largest_over(Communicator& ranks, double mine);

/// Each set, united over the ranks, which give as many.
std::vector<IndexSet> unions_over(Communicator& ranks, const std::vector<IndexSet>& mine);

/// Sends some numbers to each rank, by rank, and returns what came from each.
std::vector<std::vector<std::int64_t>> all_to_all(Communicator& ranks,
                                                  const std::vector<std::vector<std::int64_t>>& to_each);

}  // namespace lacuna

#pragma once

#include <vector>

#include "lacuna/concrete/sparsity.h"

namespace lacuna::cost {

/// What one run of a merging loop comes to.
struct MergeWork {
  double trips = 0;  // turns of its loops, those included at which nothing is done
  double heads = 0;  // coordinates looked at
};

/// Expects `entries` (by cursor, spread evenly over `extent` coordinates) to be merged until nothing of the formula can
/// come any more: a union runs to the end of all, an intersection to the end of the first.
MergeWork merge_work(const concrete::Formula& formula, const std::vector<double>& entries, double extent);

/// The same for an intersection in which the cursors that are behind leap ahead by searches.
MergeWork gallop_work(const std::vector<double>& entries);

}  // namespace lacuna::cost

#pragma once

#include <vector>

#include "lacuna/concrete/sparsity.h"

namespace lacuna::cost {

/// How likely an atom of a formula holds at a coordinate drawn evenly. Atoms of one group are nested: a higher rank
/// holds only where the lower ones do, as a tensor's level stores something only under parents that are stored. Groups
/// are independent.
struct Chance {
  int group = 0;
  int rank = 0;
  double probability = 1;
};

/// How likely the formula holds; `chances` by atom. Formulas over very many groups are bounded from above.
double likelihood(const concrete::Formula& formula, const std::vector<Chance>& chances);

/// The expected share of `draws` coordinates at which something is drawn at least once that each of them hits with
/// this probability: 1 - (1 - p)^n.
double at_least_once(double probability, double draws);

}  // namespace lacuna::cost

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lacuna/format/distribution/distribution.h"

namespace lacuna::distribution {

/// What is wrong with a clause, and with which of its names or targets.
struct ClauseMistake {
  enum class Place { Tensor, Target, Clause } place = Place::Clause;
  std::size_t index = 0;
  std::string message;
};

/// A clause for a level of a machine, its names resolved to modes. Throws ClauseMistake by the rules of Distribution.
DistributionClause resolve_clause(const std::vector<DistVar>& tensor, const std::vector<DistTarget>& targets,
                                  const Grid& grid);

}  // namespace lacuna::distribution

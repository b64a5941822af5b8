#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lacuna/distribute/simulate/simulate.h"
#include "tools/problem.h"

namespace lacuna::tool {

/// What the simulator expects of a statement on one of several machines.
struct ScalingPoint {
  std::string machine;
  std::int64_t processors = 1;
  std::map<std::string, std::int64_t> sizes;  // of variables, as given or grown
  std::int64_t messages = 0, bytes = 0;       // in all
  std::int64_t memory = 0;                    // of the processor that holds most
  double turns = 0;                           // of the loops, of all processors
  double computing = 0, moving = 0, seconds = 0;
};

/// A statement on machines that grow.
struct Scaling {
  std::string statement;
  bool weak = false;
  std::vector<ScalingPoint> points;

  /// The work that a processor gets done in a second, as a share of what it does on the first machine.
  double efficiency(const ScalingPoint& point) const;
};

/// Simulates a statement on the machine that is given and on larger ones, all dimensions of its outermost grid doubled
/// as often as there are no more than so many processors. Strong scaling leaves the sizes as they are; weak scaling
/// lets all variables grow, so that a processor's share of the largest tensor stays the same. Throws Error where there
/// is no machine, and of weak scaling, where an operand is a file, or its generator says its size or number of entries.
Scaling simulate_scaling(const StatementArguments& arguments, bool weak, std::int64_t most_processors,
                         const Network& network);

}  // namespace lacuna::tool

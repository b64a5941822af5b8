#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/distribute/plan/launch.h"
#include "lacuna/format/distribution/distribution.h"

namespace lacuna::launch {

/// What the automatic distribution looks at of an operand.
struct PlacedOperand {
  Format format;
  std::int64_t stored = 0;
};

/// Directives that distribute a statement as its tensors are, the best first. The owner of a part of the result
/// computes it, unless the result is placed by what it stores (`~`), as an operand is. If the result is not placed, or
/// is refused, the statement is computed where its largest operand in parts is, or the next one. The last are
/// variables, distributed along all dimensions of the machine (spread.h). Which of them the statement allows is not
/// looked at.
std::vector<Schedule> automatic_distributions(const Statement& statement, const Machine& machine,
                                              const std::map<IndexVar, std::int64_t>& extents,
                                              const std::map<std::string, Distribution>& placed,
                                              const std::map<std::string, PlacedOperand>& operands);

}  // namespace lacuna::launch

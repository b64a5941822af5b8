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

/// Directives that distribute a statement as its tensors are, those to be preferred first: the owner of a part of the
/// result computes it, unless that lies by what it stores, as an operand does; where nobody said who owns it, it is
/// computed where the largest operand is that lies in parts, or the next; and then come variables, dealt out along all
/// dimensions of the machine (spread.h). Which of them the statement allows is not looked at.
std::vector<Schedule> automatic_distributions(const Statement& statement, const Machine& machine,
                                              const std::map<IndexVar, std::int64_t>& extents,
                                              const std::map<std::string, Distribution>& placed,
                                              const std::map<std::string, PlacedOperand>& operands);

}  // namespace lacuna::launch

#pragma once

#include <map>
#include <string>

#include "lacuna/distribute/launch/launch.h"
#include "lacuna/format/distribution/distribution.h"

namespace lacuna::launch {

/// What the automatic distribution looks at of an operand.
struct PlacedOperand {
  Format format;
  std::int64_t stored = 0;
};

/// Directives that distribute a statement as its tensors are: the owner of a part of the result computes it; where
/// nobody said who that is, it is computed where the largest operand is that lies in parts; and where there is none,
/// the first variable is dealt out along the first dimension of the machine.
Schedule distribute_automatically(const Statement& statement, const Machine& machine,
                                  const std::map<std::string, Distribution>& placed,
                                  const std::map<std::string, PlacedOperand>& operands);

}  // namespace lacuna::launch

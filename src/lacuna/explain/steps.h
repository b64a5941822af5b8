#pragma once

#include "lacuna/explain/explanation.h"

namespace lacuna {

/// The accesses of a program: operands, then temporaries, then the result. `tensors` are those of the explanation.
std::vector<Lane> lanes_of(const concrete::Program& program, const iteration::Nest& nest,
                           const std::vector<ExplainedTensor>& tensors);

/// The loops and assignments as steps, producers before what consumes them, with what each costs.
Step steps_of(const concrete::Program& program, const iteration::Nest& nest, const cost::Estimate& estimate,
              const std::vector<Lane>& lanes, const std::vector<ExplainedTensor>& tensors);

}  // namespace lacuna

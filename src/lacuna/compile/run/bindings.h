#pragma once

#include <span>
#include <vector>

#include "lacuna/compile/plan/plan.h"

namespace lacuna {

/// What the parameters of a plan's kernel are bound to, in their order: arrays of results and operands where they are.
std::vector<loop::Binding> bindings_of(const Plan& plan, std::span<const Storage> results,
                                       const std::vector<Storage>& operands, int threads);

}  // namespace lacuna

#pragma once

#include "lacuna/schedule/automatic/order.h"

namespace lacuna {

/// What accumulates the groups under the shared loops.
enum class Accumulator : std::uint8_t {
  None,       // one group without sums: assigned where all loops meet
  Scalar,     // all result variables are shared loops
  Workspace,  // one result variable is left: a dense workspace over it
  Direct,     // the result itself, stored at any coordinate or streamed
};

/// The shape of a schedule: shared loops over result variables, then each group's own loops.
struct Choice {
  VariableOrder shared;
  Accumulator accumulator = Accumulator::None;
  concrete::Assembly assembly = concrete::Assembly::Random;
  Format result;  // of the kernel's result
  std::string pattern_operand;
  std::vector<VariableOrder> orders;  // by group: shared loops, then its own; explicit sums last
  std::vector<OrderCost> costs;       // by group
};

/// The cheapest choice by estimated work.
Choice choose(const ScheduleProblem& problem, const GroupedStatement& grouped);

}  // namespace lacuna

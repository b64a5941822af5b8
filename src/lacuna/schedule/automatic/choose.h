#pragma once

#include "lacuna/schedule/automatic/order.h"

namespace lacuna {

/// The shape of a schedule: shared loops over result variables, then each group's own loops.
struct Choice {
  VariableOrder shared;
  std::vector<VariableOrder> orders;  // by group: shared loops, then its own; explicit sums last
  std::vector<OrderCost> costs;       // by group
};

/// The cheapest choice by estimated work.
Choice choose(const ScheduleProblem& problem, const GroupedStatement& grouped);

}  // namespace lacuna

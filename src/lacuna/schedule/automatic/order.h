#pragma once

#include <map>
#include <optional>

#include "lacuna/schedule/automatic/groups.h"

namespace lacuna {

using VariableOrder = std::vector<IndexVar>;

/// How one access of an operand is read under a loop order.
struct AccessPlan {
  Access access;
  std::optional<Format> copy;       // read a copy in this format instead
  std::vector<IndexVar> variables;  // by level of what is read
  std::vector<LevelFormat> levels;
  std::vector<double> fanout;  // expected children a parent, by level
  double copied = 0;           // entries to copy
};

/// What one group costs under one loop order (all its loops, outermost first), in loop iterations.
struct OrderCost {
  double iterations = 0;  // of all loops
  double innermost = 0;   // of the innermost one
  double copies = 0;      // entries copied
  std::vector<AccessPlan> accesses;
};

/// Estimates a group under an order. Operands that the order cannot walk are copied: mode orders that conflict, hash
/// tables that would have to drive a loop, and levels without order, unless they are dynamic, drive a loop alone, and
/// `sorted` leaves out its variable: those whose loops must come to their coordinates in order.
OrderCost cost_of_order(const ScheduleProblem& problem, const Group& group, const VariableOrder& order,
                        const VariableOrder& sorted);

/// Permutations of `variables`: all of them while they are few, else their own order and those that `hints` give.
std::vector<VariableOrder> candidate_orders(const std::vector<IndexVar>& variables,
                                            const std::vector<VariableOrder>& hints);

}  // namespace lacuna

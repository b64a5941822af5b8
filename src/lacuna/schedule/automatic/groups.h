#pragma once

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// An explicit sum taken out of an expression: `scalar` stands for it, `body` is what is summed (other scalars may
/// stand in it).
struct NestedSum {
  TensorVar scalar;
  IndexVar var;
  Expr body;
  Type type;                   // promote(type of body)
  std::vector<IndexVar> free;  // variables of the body but its own, those of the sums inside it included
};

/// The terms that are summed over the same variables, as one expression in the compute type.
struct Group {
  Expr expr;                      // sums replaced by scalars
  std::vector<IndexVar> sums;     // the implicit ones
  std::vector<NestedSum> nested;  // inner ones first
  std::vector<Access> accesses;   // of operands, those inside sums included
};

/// A statement split for scheduling.
struct GroupedStatement {
  Access lhs;
  std::vector<IndexVar> left;  // the distinct variables of the left side
  std::vector<Group> groups;   // the group without sums first, if any
};

/// Splits the right side; += becomes a term that reads the old result.
GroupedStatement group_terms(const ScheduleProblem& problem);

}  // namespace lacuna

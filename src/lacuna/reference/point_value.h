#pragma once

#include "lacuna/reference/program.h"

namespace lacuna::reference {

/// What an expression is at one point: absent, or a value of the expression's type (semantics.md, "Absence").
struct PointValue {
  bool present = false;
  bool structural = false;
  Scalar value;
};

/// Evaluates by the definition. `point` holds the values of the free variables; the slots of sums inside are
/// overwritten.
PointValue evaluate_at(const Program& program, Point& point);

}  // namespace lacuna::reference

#pragma once

#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"

namespace lacuna {

// Sums, differences and products of sizes and positions, without the zeros and ones that nobody would write.

inline loop::Expr plus(const loop::Expr& a, const loop::Expr& b) {
  if (loop::is_constant(a, 0)) return b;
  return loop::is_constant(b, 0) ? a : a + b;
}

inline loop::Expr minus(const loop::Expr& a, const loop::Expr& b) {
  if (loop::same(a, b)) return loop::Expr(0);
  return loop::is_constant(b, 0) ? a : a - b;
}

inline loop::Expr times(const loop::Expr& a, const loop::Expr& b) {
  if (loop::is_constant(a, 1)) return b;
  return loop::is_constant(b, 1) ? a : a * b;
}

}  // namespace lacuna

#pragma once

#include "lacuna/loop/build.h"

namespace lacuna {

/// An evaluated expression. `value` means something where `present` holds (a Bool expression, constant where known);
/// `structural` where it is present: whether a non-full level stored what it was computed from.
struct Computed {
  loop::Expr value;
  loop::Expr present;
  loop::Expr structural;
};

}  // namespace lacuna

#pragma once

#include <optional>

#include "lacuna/concrete/program.h"

namespace lacuna {

/// How sums may reach the result.
enum class Reach : std::uint8_t {
  Ordered,   // each coordinate is assigned once: sums are collected in a scalar, or in a workspace over one variable
  Anywhere,  // coordinates may be added to again and again
};

/// A program whose sums are collected, and what that took.
struct Placed {
  concrete::Program program;
  bool adds_to_result = false;  // some coordinate is reached more than once
  bool adds_in_block = false;   // in a block, that is, where it is allowed
};

/// Puts temporaries where sums are collected:
///
///   forall i forall j y(i) += e            ->  forall i (y(i) = t where forall j t += e)
///   forall i forall k forall j A(i,j) += e ->  forall i (forall j A(i,j) = w(j) where forall k forall j w(j) += e)
///
/// None where `reach` is Ordered and the loops do not allow it. `block`: variables of the result that may be added to
/// anywhere once the others are known, being those of a block of dense levels under one entry.
std::optional<Placed> place_temporaries(const concrete::Program& program, Reach reach,
                                        const std::vector<IndexVar>& block = {});

}  // namespace lacuna

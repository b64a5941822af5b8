#pragma once

#include <vector>

#include "lacuna/lower/context/context.h"

namespace lacuna {

/// Emits what adds to each element of some arrays of integers all that come before it: a[k] += a[k-1], for k from 1 to
/// `last`. One thread does so on processors; on devices many take stretches of the arrays: first each adds up its own,
/// then one adds up these sums, and then each stores what it begins with and its own (Blelloch, "Prefix sums and their
/// applications", section 1.3).
void add_up_prefixes(Context& context, const std::vector<loop::Var>& arrays, const loop::Expr& last, Statements& out);

}  // namespace lacuna

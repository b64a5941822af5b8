#pragma once

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// One checked rewrite a directive, each in a file of its name. All go from a statement under a schedule to the same
/// statement under one directive more, and throw Error when a precondition fails, saying which, and what would make it
/// hold. What they refuse, they refuse for a reason that no later directive mends.
Scheduled apply(const Scheduled& before, const directive::Split& d);
Scheduled apply(const Scheduled& before, const directive::Reorder& d);
Scheduled apply(const Scheduled& before, const directive::Fuse& d);
Scheduled apply(const Scheduled& before, const directive::Pos& d);
Scheduled apply(const Scheduled& before, const directive::Bound& d);
Scheduled apply(const Scheduled& before, const directive::Unroll& d);
Scheduled apply(const Scheduled& before, const directive::Prefetch& d);
Scheduled apply(const Scheduled& before, const directive::Parallelize& d);
Scheduled apply(const Scheduled& before, const directive::Precompute& d);
Scheduled apply(const Scheduled& before, const directive::LoopFuse& d);
Scheduled apply(const Scheduled& before, const directive::Substitute& d);
Scheduled apply(const Scheduled& before, const directive::Assemble& d);
Scheduled apply(const Scheduled& before, const directive::MergeBy& d);
Scheduled apply(const Scheduled& before, const directive::Transpose& d);

// These are for several processors: what is left of a schedule for each of them has none (distribute/plan). They are
// refused.
Scheduled apply(const Scheduled& before, const directive::Distribute& d);
Scheduled apply(const Scheduled& before, const directive::Communicate& d);
Scheduled apply(const Scheduled& before, const directive::Rotate& d);

}  // namespace lacuna

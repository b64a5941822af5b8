#pragma once

#include "bench/distributed/predicted.h"

namespace lacuna::contest {

/// A statement of the field on operands of some size, a machine for so many ranks, where the tensors lie and how the
/// loops are dealt out, all by chance; the same for the same seed. Lacuna refuses some of them.
struct RandomPlan {
  Predicted what;
  Machine machine;
};
RandomPlan random_plan(std::uint64_t seed, int ranks, bool small);

/// So many of these, measured beside predicted. Says how many are within the goal; those of less than 50 microseconds
/// are drawn anew. Collective.
bool race_random_plans(Engine& engine, Ranks& ranks, const Effort& effort, int plans, bool small);

}  // namespace lacuna::contest

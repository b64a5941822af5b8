#pragma once

#include <cstdint>

#include "bench/distributed/predicted.h"

namespace lacuna::contest {

/// Which plans are drawn: each is the same for the same seed.
struct SomePlans {
  std::uint64_t first = 1;  // seed
  int count = 200;
  bool small = false;
};

/// Statements of the field on operands of some size, a machine for the ranks, where the tensors lie and how the loops
/// are dealt out, all by chance, measured beside predicted. Says how many are within the goal; plans that Lacuna
/// refuses are drawn anew, as those of less than 50 microseconds. Collective.
bool race_random_plans(Engine& engine, Ranks& ranks, const Effort& effort, const SomePlans& some);

}  // namespace lacuna::contest

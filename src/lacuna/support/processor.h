#pragma once

#include <array>
#include <cstdint>

namespace lacuna {

/// Bytes of all vector registers of this processor, as far as it says; 256 (SSE2, NEON's half) where it does not.
std::int64_t vector_register_bytes();

/// Bytes of the data caches of one core's levels 1, 2 and 3.
using CacheSizes = std::array<std::int64_t, 3>;

/// What this machine has, as hwloc says when it is first asked; those of a common server where it does not say.
const CacheSizes& cache_sizes();

}  // namespace lacuna

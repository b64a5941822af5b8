#pragma once

#include <cstdint>

namespace lacuna {

/// Bytes of all vector registers of this processor, as far as it says; 256 (SSE2, NEON's half) where it does not.
std::int64_t vector_register_bytes();

}  // namespace lacuna

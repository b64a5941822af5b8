#pragma once

#include <cstdint>

namespace lacuna {

/// Bytes of memory that this machine has; the largest number where it does not say.
std::int64_t machine_memory();

}  // namespace lacuna

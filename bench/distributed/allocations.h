#pragma once

#include <cstdint>

namespace lacuna::contest {

/// How often this program called `new` so far, on any thread.
std::int64_t allocations();

}  // namespace lacuna::contest

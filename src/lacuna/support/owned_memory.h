#pragma once

#include <cstdlib>
#include <memory>

namespace lacuna {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

/// Memory of malloc's, or none.
using OwnedMemory = std::unique_ptr<void, FreeMemory>;

}  // namespace lacuna

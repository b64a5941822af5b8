#pragma once

#include "lacuna/tensor/array.h"

namespace lacuna {

/// An array that is about to be filled, not zeroed. Large pages save most of the time that the system takes to provide
/// the memory of a large one.
Array allocate_large(Type type, std::int64_t size);

}  // namespace lacuna

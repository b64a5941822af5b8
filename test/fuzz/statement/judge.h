#pragma once

#include <optional>

#include "fuzz/statement/problem.h"
#include "lacuna/tensor/compare.h"

namespace lacuna::fuzz {

/// How near a result must come to that of the definition: exactly where every sum is one of integers that the type
/// holds, so that its order cannot matter; within rounding else. None where rounding may decide the result (a
/// comparison, a truncation, a division by a rounded sum): nothing can be said of such a problem.
std::optional<CompareOptions> tolerance_of(const Problem& problem);

}  // namespace lacuna::fuzz

#pragma once

#include <optional>
#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna::contest {

/// Nothing, or where two results differ beyond rounding.
std::optional<std::string> disagreement(const Storage& a, const Storage& b);

}  // namespace lacuna::contest

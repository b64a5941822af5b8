#pragma once

#include <nlohmann/json.hpp>

#include "lacuna/explain/explanation.h"

namespace lacuna::tool {

/// An explanation as JSON: tensors, loops with their costs, directives, reasons, candidates. Costs are expected
/// operations, iterations and bytes.
nlohmann::ordered_json json_of(const Explanation& explanation);

}  // namespace lacuna::tool

#pragma once

#include <cstdint>
#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// More boxes are no picture that anybody reads.
inline constexpr std::int64_t readable_boxes = 600;

/// A tensor as it lies in memory, as SVG: its levels from left to right and from top to bottom, arrays as rows of boxes
/// and the nodes of dynamic levels as boxes with arrows. Throws Error when that takes more than so many boxes.
std::string draw_tensor(const Storage& tensor, const std::string& title, std::int64_t most_boxes = readable_boxes);

}  // namespace lacuna

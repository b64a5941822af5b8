#pragma once

#include <cstdint>
#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// More boxes are no picture that anybody reads.
inline constexpr std::int64_t readable_boxes = 600;

/// A tensor as it is stored in memory, as SVG: its levels from left to right and from top to bottom, arrays as rows of
/// boxes and the nodes of dynamic levels as boxes with arrows. About a page wide. Of a tensor that takes more than
/// `most_boxes` boxes, its start is drawn, and the picture says so.
std::string draw_tensor(const Storage& tensor, const std::string& title, std::int64_t most_boxes = readable_boxes);

}  // namespace lacuna

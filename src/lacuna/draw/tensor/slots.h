#pragma once

#include <vector>

#include "lacuna/draw/tensor/place.h"

// The inside of a node: its slots in lines, each under the name of its field.
namespace lacuna::picture {

Size size_of_node(const DrawnNode& node);
/// The places of a node's slots, each two lines of text high.
std::vector<Rectangle> placed_slots(const DrawnNode& node, const Rectangle& box);

}  // namespace lacuna::picture

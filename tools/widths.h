#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// Gives the position and coordinate arrays of operands the integer types that a user asked for with --widths
/// NAME:POSITIONS,COORDINATES. Throws Error for what cannot be read, a name that is no operand, a type that is no
/// integer, and values that do not fit.
void set_widths(std::map<std::string, Storage>& operands, const std::vector<std::string>& widths);

}  // namespace lacuna::tool

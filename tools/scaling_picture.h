#pragma once

#include <string>

#include "tools/scaling.h"

namespace lacuna::tool {

/// Curves over the number of processors, as SVG: the time that is expected, with its parts and the ideal, and what
/// moves and is held.
std::string scaling_picture(const Scaling& scaling);

}  // namespace lacuna::tool

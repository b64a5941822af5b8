#pragma once

#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// A picture of where a tensor's entries lie, as SVG: modes 0 and 1 in at most `cells` × `cells` bins, darker for more
/// entries (logarithmically). A vector is one row; more than two modes are projected.
std::string spy(const CoordinateList& entries, const std::string& title, int cells = 160);

}  // namespace lacuna::tool

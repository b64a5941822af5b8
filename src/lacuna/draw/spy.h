#pragma once

#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Where the entries of a tensor are, as SVG: rows down, columns across, axes with coordinates. A cell is one
/// coordinate where the picture has room for that, else several: the darker, the more entries. Of a tensor of order 3
/// or more, a plot for each two modes in a row, and for the first and the last.
std::string spy(const CoordinateList& entries, const std::string& title);

}  // namespace lacuna

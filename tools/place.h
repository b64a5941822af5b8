#pragma once

#include <string>

#include "lacuna/distribute/partition/partition.h"

namespace lacuna::tool {

/// A tensor under a name on a machine, as `--machine` and `--place` say it. Throws Error with the column.
struct PlacedTensor {
  std::string name;
  Partition parts;
};
PlacedTensor place(const Storage& tensor, const std::string& machine, const std::string& distribution,
                   const std::string& usual_name);

/// What each piece holds, where, and how even that is; some of the pieces only where there are very many.
void print_pieces(const PlacedTensor& placed);

/// A picture of the tensor beside its machine, as SVG: entries have the colour of the processors that hold them. Orders
/// 1 to 3; large tensors are shown in bins, which have the colour of most of their entries. Throws Error for other
/// orders and for more than 1024 processors.
std::string placement_picture(const PlacedTensor& placed);

}  // namespace lacuna::tool

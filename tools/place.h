#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lacuna/distribute/parts/partition.h"

namespace lacuna::tool {

/// A tensor under a name on a machine, as `--machine` and `--place` say it. Throws Error with the column.
struct PlacedTensor {
  std::string name;
  Partition parts;
};
PlacedTensor place(const Storage& tensor, const std::string& machine, const std::string& distribution,
                   const std::string& usual_name);

/// Prints what each part holds, where, and how even that is; the first 64 parts where there are more.
void print_parts(const PlacedTensor& placed);
/// The same, of all parts.
nlohmann::ordered_json json_of_parts(const PlacedTensor& placed);

/// A picture of the tensor beside its machine, as SVG: entries have the colour of the processors that hold them. Orders
/// 1 to 3; large tensors are shown in bins, which have the colour of most of their entries. Throws Error for other
/// orders and for more than 1024 processors.
std::string placement_picture(const PlacedTensor& placed);

}  // namespace lacuna::tool

#include "lacuna/io/enlarge.h"

#include <algorithm>

namespace lacuna {

void enlarge(CoordinateList& entries, const std::vector<std::int64_t>& least) {
  for (std::size_t m = 0; m < entries.dimensions.size(); ++m) {
    entries.dimensions[m] = std::max(entries.dimensions[m], least[m]);
    Array& column = entries.coordinates[m];
    if (coordinate_type(entries.dimensions[m]) == column.type()) continue;
    Array wide = Array::allocate(Type::Int64, column.size(), false);
    auto* to = static_cast<std::int64_t*>(wide.mutable_data());
    for (std::int64_t e = 0; e < column.size(); ++e) to[e] = column.integer(e);
    column = wide;
  }
}

}  // namespace lacuna

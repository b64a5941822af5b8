#include "lacuna/io/sorted_entries.h"

#include <vector>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

bool is_sorted(const CoordinateList& entries) {
  const std::vector<CoordinateColumn> columns(entries.coordinates.begin(), entries.coordinates.end());
  for (std::int64_t i = 1; i < entries.size(); ++i) {
    for (const CoordinateColumn& column : columns) {
      if (column[i - 1] < column[i]) break;
      if (column[i - 1] > column[i]) return false;
    }
  }
  return true;
}

}  // namespace

CoordinateList sorted_entries(const Storage& tensor) {
  CoordinateList entries = coordinates_of(tensor);
  if (is_sorted(entries)) return entries;
  return coordinates_of(build(entries, coo_format(tensor.order())));
}

}  // namespace lacuna

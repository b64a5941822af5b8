#include "lacuna/reference/evaluate.h"
#include "lacuna/tensor/build.h"

namespace lacuna {
namespace {

void store_integer(Array& array, std::int64_t position, std::int64_t value) {
  auto* bytes = static_cast<unsigned char*>(array.mutable_data());
  Scalar(value).convert(array.type()).store(bytes + position * size_of(array.type()));
}

}  // namespace

Storage to_storage(const ReferenceResult& result, const Format& format) {
  const bool keeps_all = format.is_dense();
  const auto is_kept = [&](const ReferenceEntry& e) { return keeps_all || e.structural || !e.value.is_zero(); };
  std::int64_t count = 0;
  for (const auto& [coordinate, entry] : result.entries) count += is_kept(entry) ? 1 : 0;

  CoordinateList list{result.dimensions, {}, Array::allocate(result.type, count, false)};
  for (const std::int64_t dimension : result.dimensions) {
    list.coordinates.push_back(Array::allocate(coordinate_type(dimension), count, false));
  }
  std::int64_t at = 0;
  for (const auto& [coordinate, entry] : result.entries) {
    if (!is_kept(entry)) continue;
    for (std::size_t m = 0; m < coordinate.size(); ++m) store_integer(list.coordinates[m], at, coordinate[m]);
    entry.value.store(static_cast<unsigned char*>(list.values.mutable_data()) + at * size_of(result.type));
    ++at;
  }
  // Nodes store what a compressed level in their place would.
  return build(list, array_format_of(format));
}

}  // namespace lacuna

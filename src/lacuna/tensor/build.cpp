#include "lacuna/tensor/build.h"

#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/build_level.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/pack_rows.h"

namespace lacuna {

Storage build_entries(const Entries& entries, const std::vector<std::int64_t>& dimensions, const Format& format,
                      const Scalar& fill, int threads) {
  for (const LevelFormat& level : format.levels()) {
    if (!level.is_dynamic()) continue;
    user_error("{} has the dynamic level {}, which only a kernel can fill: store the entries as {}, and assign that",
               format.to_string(), level.name(), array_format_of(format).to_string());
  }
  Storage storage;
  storage.format = format;
  storage.type = entries.values.type();
  storage.dimensions = dimensions;
  storage.fill = fill;
  LevelBuilder builder(entries, format, threads);
  for (int k = 0; k < format.order(); ++k) storage.levels.push_back(builder.add());
  storage.values = builder.values(fill);
  return storage;
}

Storage build_with_fill(CoordinateList list, const Format& format, const BuildOptions& options, const Scalar& fill) {
  Entries entries = entries_by_level(list, format);
  list.coordinates.clear();
  list.values = {};
  if (is_packed(entries, format) && !options.drop_zeros && sortedness(entries.columns) == Sortedness::Unsorted) {
    return pack_rows(entries, list.dimensions, format, {options.duplicates, fill, options.threads});
  }
  sort_and_coalesce(entries, options.duplicates, options.threads);
  if (options.drop_zeros) drop_values(entries, fill);
  return build_entries(entries, list.dimensions, format, fill, options.threads);
}

Storage build(const CoordinateList& list, const Format& format, const BuildOptions& options) {
  return build_with_fill(list, format, options, Scalar::zero(list.values.type()));
}

Storage empty_tensor(Type type, const std::vector<std::int64_t>& dimensions, const Format& format) {
  check_dimensions(dimensions, format.order());
  CoordinateList nothing{dimensions, {}, Array::allocate(type, 0, false)};
  for (const std::int64_t dimension : dimensions) {
    nothing.coordinates.push_back(Array::allocate(coordinate_type(dimension), 0, false));
  }
  return build(nothing, format);
}

}  // namespace lacuna

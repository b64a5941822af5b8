#include "lacuna/tensor/generate/distinct.h"

#include <cstring>
#include <utility>

#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/generate/values.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

Array concatenate(const Array& a, const Array& b) {
  Array both = Array::allocate(a.type(), a.size() + b.size(), false);
  auto* to = static_cast<unsigned char*>(both.mutable_data());
  std::memcpy(to, a.data(), static_cast<std::size_t>(a.bytes()));
  std::memcpy(to + a.bytes(), b.data(), static_cast<std::size_t>(b.bytes()));
  return both;
}

std::vector<Array> draw_columns(const std::vector<std::int64_t>& dimensions, std::int64_t count, const Draw& draw) {
  std::vector<Array> columns;
  for (const std::int64_t dimension : dimensions) {
    columns.push_back(Array::allocate(coordinate_type(dimension), count, false));
  }
  std::vector<std::int64_t> coordinate(dimensions.size());
  for (std::int64_t e = 0; e < count; ++e) {
    draw(coordinate);
    for (std::size_t m = 0; m < columns.size(); ++m) {
      const auto at = static_cast<std::size_t>(e);
      if (columns[m].type() == Type::Int32) {
        columns[m].mutable_view<std::int32_t>()[at] = static_cast<std::int32_t>(coordinate[m]);
      } else {
        columns[m].mutable_view<std::int64_t>()[at] = coordinate[m];
      }
    }
  }
  return columns;
}

}  // namespace

std::int64_t count_positions(const std::vector<std::int64_t>& dimensions) {
  std::int64_t count = 1;
  for (const std::int64_t dimension : dimensions) {
    if (dimension == 0) return 0;
    count = dimension > largest_span / count ? largest_span : count * dimension;
  }
  return count;
}

void check_count(const std::vector<std::int64_t>& dimensions, std::int64_t count) {
  check_dimensions(dimensions, static_cast<int>(dimensions.size()));
  if (count < 0) user_error("cannot draw {} entries", count);
  if (const std::int64_t positions = count_positions(dimensions); count > positions) {
    user_error("cannot draw {} distinct entries: the tensor has only {} positions", count, positions);
  }
}

CoordinateList draw_distinct(const std::vector<std::int64_t>& dimensions, std::int64_t count, int rounds,
                             const Draw& draw, std::uint64_t seed, Type type) {
  check_count(dimensions, count);
  Entries entries;
  entries.extents = dimensions;
  entries.map = LevelMap::identity(static_cast<int>(dimensions.size()));
  entries.columns = draw_columns(dimensions, 0, draw);
  entries.values = Array::allocate(Type::UInt8, 0, true);
  for (int round = 0; round < rounds && entries.size() < count; ++round) {
    const std::int64_t missing = count - entries.size();
    const std::vector<Array> drawn = draw_columns(dimensions, missing, draw);
    for (std::size_t m = 0; m < drawn.size(); ++m) entries.columns[m] = concatenate(entries.columns[m], drawn[m]);
    entries.values = concatenate(entries.values, Array::allocate(Type::UInt8, missing, true));
    sort_and_coalesce(entries, Duplicates::Sum, 1);
  }
  Array values = random_values(type, entries.size(), seed);
  return {dimensions, std::move(entries.columns), std::move(values)};
}

}  // namespace lacuna

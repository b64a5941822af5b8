#include "lacuna/tensor/generate/distinct.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/generate/values.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Room for more elements behind those of an array.
Array extended(const Array& a, std::int64_t more) {
  Array longer = Array::allocate(a.type(), a.size() + more, false);
  std::memcpy(longer.mutable_data(), a.data(), static_cast<std::size_t>(a.bytes()));
  return longer;
}

/// Draws so many, and adds those of a stretch, about one in `shares`.
void draw_more(Entries& entries, std::int64_t count, const Draw& draw, const CoordinateStretch& stretch, int shares) {
  std::int64_t size = entries.size(), room = size;
  const auto grow = [&](std::int64_t more) {
    for (Array& column : entries.columns) column = extended(column, more);
    room += more;
  };
  grow(shares == 1 ? count : count / shares + count / shares / 8);
  std::vector<std::int64_t> coordinate(entries.columns.size());
  for (std::int64_t e = 0; e < count; ++e) {
    draw(coordinate);
    if (!stretch.has(coordinate)) continue;
    if (size == room) grow(room / 4 + 64);
    const auto at = static_cast<std::size_t>(size++);
    for (std::size_t m = 0; m < coordinate.size(); ++m) {
      Array& column = entries.columns[m];
      if (column.type() == Type::Int32) {
        column.mutable_view<std::int32_t>()[at] = static_cast<std::int32_t>(coordinate[m]);
      } else {
        column.mutable_view<std::int64_t>()[at] = coordinate[m];
      }
    }
  }
  for (Array& column : entries.columns)
    if (column.size() != size) column = Array::borrow(column.type(), column.data(), size, column.owner());
  entries.values = Array::allocate(Type::UInt8, size, true);
}

bool is_before(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
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

bool CoordinateStretch::has(std::span<const std::int64_t> coordinate) const {
  return (!begin || !is_before(coordinate, *begin)) && (!end || is_before(coordinate, *end));
}

/// By the quantiles of a sample.
CoordinateStretch stretch_of(const std::vector<std::int64_t>& dimensions, const Draw& draw,
                             const GeneratorShare& share) {
  CoordinateStretch stretch;
  if (share.count == 1 || count_positions(dimensions) == 0) return stretch;
  constexpr int each = 256;
  std::vector<std::vector<std::int64_t>> sample(static_cast<std::size_t>(share.count) * each, dimensions);
  Draw copy = draw;
  for (std::vector<std::int64_t>& coordinate : sample) copy(coordinate);
  std::sort(sample.begin(), sample.end(), is_before);
  const auto quantile = [&](int k) { return sample[static_cast<std::size_t>(k) * each]; };
  if (share.number > 0) stretch.begin = quantile(share.number);
  if (share.number + 1 < share.count) stretch.end = quantile(share.number + 1);
  return stretch;
}

CoordinateList draw_distinct(const std::vector<std::int64_t>& dimensions, std::int64_t count, int rounds,
                             const Draw& draw, std::uint64_t seed, Type type, const GeneratorShare& share,
                             const CoordinateStretch& stretch) {
  check_count(dimensions, count);
  Entries entries;
  entries.extents = dimensions;
  entries.map = LevelMap::identity(static_cast<int>(dimensions.size()));
  for (const std::int64_t dimension : dimensions)
    entries.columns.push_back(Array::allocate(coordinate_type(dimension), 0, false));
  entries.values = Array::allocate(Type::UInt8, 0, true);
  GeneratorShare::Sums sizes;
  for (int round = 0; round < rounds && sizes.all < count; ++round) {
    draw_more(entries, count - sizes.all, draw, stretch, share.count);
    sort_and_coalesce(entries, Duplicates::Sum, 1);
    sizes = share.sums(entries.size());
  }
  Array values = random_values(type, entries.size(), seed, sizes.before);
  return {dimensions, std::move(entries.columns), std::move(values)};
}

}  // namespace lacuna

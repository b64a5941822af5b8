#include "lacuna/distribute/sets/coordinate_order.h"

#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/sort.h"

namespace lacuna {
namespace {

/// The last level whose coordinates tell positions of `level` apart.
int last_telling(const Format& format, int level) {
  while (!format.level(level).unique && level + 1 < format.order()) ++level;
  return level;
}

Array coordinates_of_each(const LevelStorage& level, const LevelFormat& form,
                          const std::vector<std::int64_t>& positions) {
  Array column = Array::allocate(Type::Int64, std::ssize(positions), false);
  const auto to = column.mutable_view<std::int64_t>();
  if (form.spans()) {
    for (std::size_t n = 0; n < positions.size(); ++n) to[n] = level.origin + positions[n] % level.extent;
    return column;
  }
  const IntegerReader crd(level.crd);
  for (std::size_t n = 0; n < positions.size(); ++n) to[n] = crd[positions[n]];
  return column;
}

/// Of each position, the one above.
void go_up(const LevelStorage& level, const LevelFormat& form, std::vector<std::int64_t>& positions) {
  if (form.branchless()) return;
  if (form.spans()) {
    for (std::int64_t& p : positions) p /= level.extent;
    return;
  }
  const IntegerReader pos(level.pos);
  std::int64_t above = level.pos.base();
  for (std::int64_t& p : positions) {
    while (pos[above + 1] <= p) ++above;
    p = above;
  }
}

}  // namespace

bool is_in_coordinate_order(const Format& format, int level) {
  for (int k = 0; k <= last_telling(format, level); ++k)
    if (!format.level(k).ordered) return false;
  return true;
}

std::vector<std::int64_t> by_coordinates(const Storage& storage, int level, const IndexSet& positions) {
  std::vector<std::int64_t> ascending;
  ascending.reserve(static_cast<std::size_t>(positions.size()));
  positions.for_each_interval([&](const Interval& run) {
    for (std::int64_t p = run.begin; p < run.end; ++p) ascending.push_back(p);
  });
  const auto levels = static_cast<std::size_t>(last_telling(storage.format, level)) + 1;
  std::vector<Array> columns(levels);
  std::vector<std::int64_t> extents(levels);
  std::vector<std::int64_t> here = ascending;  // singletons have the positions of the level above
  for (std::size_t k = levels; k-- > 0;) {
    const LevelStorage& data = storage.levels[k];
    const LevelFormat& form = storage.format.level(static_cast<int>(k));
    columns[k] = coordinates_of_each(data, form, here);
    extents[k] = data.origin + data.extent;
    go_up(data, form, here);
  }
  const Array order = sorted_order(columns, extents, 1);
  std::vector<std::int64_t> sorted;
  sorted.reserve(ascending.size());
  const IntegerReader number(order);
  for (std::int64_t n = 0; n < order.size(); ++n) sorted.push_back(ascending[static_cast<std::size_t>(number[n])]);
  return sorted;
}

}  // namespace lacuna

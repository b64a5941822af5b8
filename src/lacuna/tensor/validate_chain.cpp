#include "lacuna/tensor/validate_chain.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/sort.h"

namespace lacuna {

namespace {

/// The last level of the chain that `level` begins: the first unique one, or the tensor's last. A singleton that is too
/// short ends the chain; its own check names the fault.
int chain_end(const Storage& storage, int level) {
  int last = level;
  const std::int64_t positions = storage.levels[static_cast<std::size_t>(level)].crd.size();
  while (last + 1 < storage.order() && !storage.format.level(last).unique) {
    const Array& next = storage.levels[static_cast<std::size_t>(last) + 1].crd;
    const bool fits = next.size() == positions && is_integer(next.type()) && next.type() != Type::Bool;
    if (!fits) break;
    ++last;
  }
  return last;
}

std::optional<std::string> check_ordered_level(const LevelStorage& data, bool unique) {
  return visit_integer_type(data.crd.type(), [&](auto zero) -> std::optional<std::string> {
    const auto crd = data.crd.view<decltype(zero)>();
    const IntegerReader pos(data.pos);
    const std::int64_t base = data.crd.base();
    const std::int64_t parents = data.pos.size() - 1;
    for (std::int64_t p = data.pos.base(); p < data.pos.base() + parents; ++p) {
      const std::int64_t end = pos[p + 1] - base;
      for (std::int64_t i = pos[p] - base + 1; i < end; ++i) {
        if (crd[i - 1] < crd[i] || (crd[i - 1] == crd[i] && !unique)) continue;
        return fmt::format("coordinates {} and {} at positions {} and {} of one parent {}", crd[i - 1], crd[i],
                           base + i - 1, base + i, crd[i - 1] == crd[i] ? "repeat" : "descend, but it is ordered");
      }
    }
    return std::nullopt;
  });
}

/// Compares neighbours by the chain's columns; a difference where no order is promised ends the comparison.
std::optional<std::string> check_neighbours(const Storage& storage, int level, int last) {
  const LevelStorage& data = storage.levels[static_cast<std::size_t>(level)];
  std::vector<IntegerReader> columns;
  for (int k = level; k <= last; ++k) columns.emplace_back(rebased(storage.levels[static_cast<std::size_t>(k)].crd));
  const IntegerReader pos(data.pos);
  const std::int64_t base = data.crd.base();
  const std::int64_t parents = data.pos.size() - 1;
  for (std::int64_t p = data.pos.base(); p < data.pos.base() + parents; ++p) {
    const std::int64_t end = pos[p + 1] - base;
    for (std::int64_t i = pos[p] - base + 1; i < end; ++i) {
      int k = 0;
      while (k < last - level && columns[static_cast<std::size_t>(k)][i - 1] == columns[static_cast<std::size_t>(k)][i])
        ++k;
      const std::int64_t before = columns[static_cast<std::size_t>(k)][i - 1];
      const std::int64_t here = columns[static_cast<std::size_t>(k)][i];
      if (before == here && storage.format.level(level + k).unique) {
        return fmt::format("the entries at positions {} and {} of one parent repeat", base + i - 1, base + i);
      }
      if (before > here && storage.format.level(level + k).ordered) {
        return fmt::format("the entries at positions {} and {} of one parent descend, but they are ordered",
                           base + i - 1, base + i);
      }
    }
  }
  return std::nullopt;
}

/// Sorts (parent, chain columns) and looks for equal neighbours.
std::optional<std::string> check_repeats(const Storage& storage, int level, int last) {
  const LevelStorage& data = storage.levels[static_cast<std::size_t>(level)];
  const std::int64_t parents = data.pos.size() - 1;
  const std::int64_t base = data.crd.base();
  const IntegerReader pos(data.pos);
  const IntegerReader first(data.crd);
  std::int64_t entries = 0;
  for (std::int64_t i = base; i < base + data.crd.size(); ++i) entries += first[i] >= 0 ? 1 : 0;

  std::vector<Array> columns(static_cast<std::size_t>(last - level) + 2);
  std::vector<std::int64_t> extents = {parents};
  for (Array& column : columns) column = Array::allocate(Type::Int64, entries, false);
  for (int k = level; k <= last; ++k) {
    const LevelStorage& chained = storage.levels[static_cast<std::size_t>(k)];
    extents.push_back(chained.origin + chained.extent);
    const Array crd = rebased(chained.crd);
    const IntegerReader reader(crd);
    auto to = columns[static_cast<std::size_t>(k - level) + 1].mutable_view<std::int64_t>();
    std::size_t next = 0;
    for (std::int64_t i = 0; i < data.crd.size(); ++i) {
      if (first[base + i] >= 0) to[next++] = reader[i];
    }
  }
  auto parent = columns[0].mutable_view<std::int64_t>();
  std::size_t next = 0;
  for (std::int64_t p = 0; p < parents; ++p) {
    for (std::int64_t i = pos[data.pos.base() + p]; i < pos[data.pos.base() + p + 1]; ++i) {
      if (first[i] >= 0) parent[next++] = p;
    }
  }
  const Array order = sorted_order(columns, extents, 1);
  for (Array& column : columns) column = gather(column, order, 1);
  if (sortedness(columns) != Sortedness::Sorted) return std::nullopt;
  std::int64_t e = 1;
  const auto same = [&](const Array& column) { return column.integer(e - 1) == column.integer(e); };
  while (!std::all_of(columns.begin(), columns.end(), same)) ++e;
  std::vector<std::int64_t> coordinate;
  for (std::size_t k = 1; k < columns.size(); ++k) coordinate.push_back(columns[k].integer(e));
  return fmt::format("coordinate {} repeats under parent {}, but it is unique", fmt::join(coordinate, ", "),
                     columns[0].integer(e));
}

}  // namespace

std::optional<std::string> check_chain(const Storage& storage, int level) {
  const int last = chain_end(storage, level);
  const LevelStorage& data = storage.levels[static_cast<std::size_t>(level)];
  bool ordered = true;
  for (int k = level; k <= last; ++k) ordered = ordered && storage.format.level(k).ordered;
  if (ordered && last == level) return check_ordered_level(data, storage.format.level(level).unique);
  if (auto complaint = check_neighbours(storage, level, last)) return complaint;
  if (!ordered && storage.format.level(last).unique) return check_repeats(storage, level, last);
  return std::nullopt;
}

std::optional<std::string> check_unique(const Storage& storage, int level) {
  return check_repeats(storage, level, level);
}

}  // namespace lacuna

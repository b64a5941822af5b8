#include "lacuna/tensor/entries.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "lacuna/support/check.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/range.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {

namespace {

void check_range(const Array& column, std::int64_t dimension, int mode) {
  visit_integer_type(column.type(), [&](auto zero) {
    const auto coordinates = column.view<decltype(zero)>();
    const std::int64_t e = first_outside(coordinates, 0, dimension);
    if (e < 0) return;
    user_error("entry {}: coordinate {} of mode {} is outside [0, {})", e, coordinates[static_cast<std::size_t>(e)],
               mode, dimension);
  });
}

Array with_type(const Array& column, Type type) {
  if (column.type() == type) return rebased(column);
  Array result = Array::allocate(type, column.size(), false);
  visit_integer_type(column.type(), [&](auto zero) {
    const auto from = column.view<decltype(zero)>();
    with_mutable_coordinates(result, [&](auto to) {
      using To = typename decltype(to)::value_type;
      std::transform(from.begin(), from.end(), to.begin(), [](auto c) { return static_cast<To>(c); });
    });
  });
  return result;
}

/// The entries that begin a run of equal coordinates, and the end.
std::vector<std::int64_t> run_starts(const Entries& entries) {
  std::vector<IntegerReader> readers;
  for (const Array& column : entries.columns) readers.emplace_back(column);
  const auto differs = [&](std::int64_t e) {
    return std::any_of(readers.rbegin(), readers.rend(), [e](const IntegerReader& r) { return r[e - 1] != r[e]; });
  };
  std::vector<std::int64_t> starts;
  for (std::int64_t e = 0; e < entries.size(); ++e) {
    if (e == 0 || differs(e)) starts.push_back(e);
  }
  starts.push_back(entries.size());
  return starts;
}

/// Sums in promote(type) and converts once, at the end.
Array sum_runs(const Array& values, const std::vector<std::int64_t>& starts) {
  const auto runs = static_cast<std::int64_t>(starts.size()) - 1;
  Array result = Array::allocate(values.type(), runs, false);
  visit_type(values.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto from = values.view<T>();
    auto to = result.mutable_view<T>();
    for (std::int64_t r = 0; r < runs; ++r) {
      auto sum = widen(from[starts[r]]);
      for (std::int64_t e = starts[r] + 1; e < starts[r + 1]; ++e) sum = add_wrapping(sum, widen(from[e]));
      if constexpr (std::is_same_v<T, bool>) to[r] = sum != 0;
      else to[r] = static_cast<T>(sum);
    }
  });
  return result;
}

/// The numbers (UInt32 or UInt64) of the entries that `keep` accepts.
template <typename Keep>
Array numbers_of(std::int64_t size, const Keep& keep) {
  std::int64_t count = 0;
  for (std::int64_t e = 0; e < size; ++e) count += keep(e) ? 1 : 0;
  const auto fill = [&](auto zero) {
    using Index = decltype(zero);
    Array numbers = Array::allocate(type_of<Index>(), count, false);
    auto view = numbers.mutable_view<Index>();
    std::size_t next = 0;
    for (std::int64_t e = 0; e < size; ++e) {
      if (keep(e)) view[next++] = static_cast<Index>(e);
    }
    return numbers;
  };
  return size <= 0x7fffffff ? fill(std::uint32_t{}) : fill(std::uint64_t{});
}

}  // namespace

void check_dimensions(const std::vector<std::int64_t>& dimensions, int order) {
  if (dimensions.size() != static_cast<std::size_t>(order)) {
    user_error("the format is of order {}, but {} dimensions are given", order, dimensions.size());
  }
  for (std::size_t m = 0; m < dimensions.size(); ++m) {
    if (dimensions[m] < 0) user_error("dimension {} is {}; a dimension cannot be negative", m, dimensions[m]);
  }
}

Entries entries_by_level(const CoordinateList& list, const Format& format) {
  const int order = format.order();
  check_dimensions(list.dimensions, order);
  if (list.coordinates.size() != list.dimensions.size()) {
    user_error("a tensor of order {} needs {} coordinate arrays, but {} are given", order, order,
               list.coordinates.size());
  }
  Entries entries{{}, {}, rebased(list.values), format.map()};
  for (int k = 0; k < order; ++k) {
    const int mode = format.map().mode_of(k);
    const Array& column = list.coordinates[static_cast<std::size_t>(mode)];
    const std::int64_t dimension = list.dimensions[static_cast<std::size_t>(mode)];
    if (!is_integer(column.type()) || column.type() == Type::Bool) {
      user_error("the coordinates of mode {} are {}; they must be integers", mode, type_name(column.type()));
    }
    if (column.size() != list.size()) {
      user_error("mode {} has {} coordinates, but there are {} values", mode, column.size(), list.size());
    }
    check_range(column, dimension, mode);
    entries.extents.push_back(dimension);
    entries.columns.push_back(with_type(column, coordinate_type(dimension)));
  }
  return entries;
}

void refuse_duplicates(const std::string& coordinate, std::int64_t times) {
  user_error("the coordinate {} is given {} times; remove the duplicates or ask for their sum", coordinate, times);
}

void coalesce(Entries& entries, Duplicates duplicates) {
  const std::vector<std::int64_t> starts = run_starts(entries);
  const auto runs = static_cast<std::int64_t>(starts.size()) - 1;
  if (runs == entries.size()) return;
  if (duplicates == Duplicates::Refuse) {
    std::size_t r = 0;
    while (starts[r + 1] - starts[r] == 1) ++r;
    refuse_duplicates(coordinate_text(entries, starts[r]), starts[r + 1] - starts[r]);
  }
  entries.values = sum_runs(entries.values, starts);
  Array first = Array::allocate(Type::UInt64, runs, false);
  std::copy_n(starts.begin(), runs, first.mutable_view<std::uint64_t>().begin());
  for (Array& column : entries.columns) column = gather(column, first, 1);
}

void drop_values(Entries& entries, const Scalar& fill) {
  visit_type(entries.values.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto values = entries.values.view<T>();
    const T absent = fill.as<T>();
    const Array kept = numbers_of(entries.size(), [&](std::int64_t e) { return values[e] != absent; });
    if (kept.size() == entries.size()) return;
    for (Array& column : entries.columns) column = gather(column, kept, 1);
    entries.values = gather(entries.values, kept, 1);
  });
}

std::string coordinate_text(const Entries& entries, std::int64_t e) {
  std::vector<std::int64_t> coordinate(entries.columns.size());
  for (std::size_t k = 0; k < entries.columns.size(); ++k) {
    coordinate[static_cast<std::size_t>(entries.map.mode_of(static_cast<int>(k)))] = entries.columns[k].integer(e);
  }
  return fmt::format("({})", fmt::join(coordinate, ", "));
}

}  // namespace lacuna

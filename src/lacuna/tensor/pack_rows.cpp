#include "lacuna/tensor/pack_rows.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/deal.h"
#include "lacuna/tensor/deal_blocks.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {

namespace {

/// An element of any type, moved as bytes.
template <std::size_t Width>
struct Element {
  unsigned char bytes[Width];
};

/// Calls f with a zero of an integer-like type that has the array's width.
template <typename F>
void with_element(const Array& array, F&& f) {
  switch (size_of(array.type())) {
    case 1: return f(Element<1>{});
    case 2: return f(Element<2>{});
    case 4: return f(Element<4>{});
    case 8: return f(Element<8>{});
    default: return f(Element<16>{});
  }
}

/// A matrix by rows, the second level of whose storage has pos and crd.
struct Rows {
  Array pos;
  Array crd;
  Array values;
  bool repeats = false;  // some coordinate is there more than once
};

/// Do neighbouring entries mostly go to the same few places? Looks at some stretches of them: at how many cache lines
/// of values each would write if rows were equally long.
template <typename Coordinate>
bool stays_near(std::span<const Coordinate> rows, std::int64_t row_count) {
  constexpr std::size_t stretch = 1024;
  constexpr std::size_t stretches = 8;
  const double lines_in_row = static_cast<double>(rows.size()) / static_cast<double>(row_count) / 8;
  std::size_t lines = 0;
  for (std::size_t k = 0; k < stretches; ++k) {
    const auto some = rows.subspan((rows.size() - stretch) / stretches * k, stretch);
    std::vector<std::int64_t> seen(stretch);
    std::transform(some.begin(), some.end(), seen.begin(),
                   [&](Coordinate row) { return static_cast<std::int64_t>(static_cast<double>(row) * lines_in_row); });
    std::sort(seen.begin(), seen.end());
    lines += static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
  }
  return lines < stretch * stretches / 2;
}

/// Where random writes stay in the cache, the second step of a BlockDealer gains nothing.
template <typename Coordinate>
bool is_dealt_directly(std::span<const Coordinate> rows, std::int64_t row_count) {
  constexpr std::size_t cached_entries = std::size_t{1} << 16;
  constexpr std::int64_t few_rows = 256;
  return rows.size() <= cached_entries || row_count <= few_rows || stays_near(rows, row_count);
}

template <typename Coordinate, typename Columns>
Rows deal_rows(std::span<const Coordinate> rows, const Columns& columns, const Array& given, bool settled,
               std::int64_t row_count, int threads) {
  const std::int64_t size = given.size();
  const int chunks = worthwhile_threads(threads, size);
  Rows result;
  result.pos = Array::allocate(position_type(size), row_count + 1, false);
  result.crd = Array::allocate(type_of<Coordinate>(), size, false);
  result.values = Array::allocate(given.type(), size, false);
  with_mutable_coordinates(result.pos, [&](auto pos) {
    using Pos = typename decltype(pos)::value_type;
    with_element(given, [&](auto zero) {
      using Value = decltype(zero);
      const Deck<Coordinate, Columns, Value> deck{rows, columns, static_cast<const Value*>(given.data()), settled};
      const DealtRows<Coordinate, Pos, Value> to{pos, result.crd.mutable_view<Coordinate>(),
                                                 static_cast<Value*>(result.values.mutable_data())};
      if (is_dealt_directly(rows, row_count)) result.repeats = DirectDealer(deck, to, chunks).deal();
      else result.repeats = BlockDealer(deck, to, chunks).deal();
    });
  });
  return result;
}

/// Sums equal neighbours of each row, in order, in the promoted type; closes the gaps. Returns what remains.
template <typename Pos, typename Column, typename T>
std::int64_t sum_repeats(std::span<Pos> pos, std::span<Column> crd, std::span<T> values) {
  std::size_t next = 0;
  auto p = static_cast<std::size_t>(pos[0]);
  for (std::size_t r = 1; r < pos.size(); ++r) {
    const auto end = static_cast<std::size_t>(pos[r]);
    while (p < end) {
      const Column column = crd[p];
      auto sum = widen(values[p]);
      for (++p; p < end && crd[p] == column; ++p) sum = add_wrapping(sum, widen(values[p]));
      crd[next] = column;
      if constexpr (std::is_same_v<T, bool>) values[next++] = sum != 0;
      else values[next++] = static_cast<T>(sum);
    }
    pos[r] = static_cast<Pos>(next);
  }
  return static_cast<std::int64_t>(next);
}

/// The first `size` elements; copied where keeping the rest alive would waste much.
Array shortened(const Array& array, std::int64_t size) {
  if (size > array.size() - array.size() / 8) return Array::borrow(array.type(), array.data(), size, array.owner());
  Array copy = Array::allocate(array.type(), size, false);
  std::memcpy(copy.mutable_data(), array.data(), static_cast<std::size_t>(copy.bytes()));
  return copy;
}

[[noreturn]] void refuse_repeat(const LevelStorage& level, const LevelMap& map) {
  const IntegerReader pos(level.pos);
  const IntegerReader crd(level.crd);
  std::int64_t row = 0;
  std::int64_t p = 1;
  for (;; ++p) {
    while (pos[row + 1] <= p) ++row;
    if (p - 1 >= pos[row] && crd[p - 1] == crd[p]) break;
  }
  std::int64_t times = 2;
  while (p + times - 1 < pos[row + 1] && crd[p + times - 1] == crd[p]) ++times;
  const std::int64_t coordinate[] = {row, crd[p]};
  refuse_duplicates(fmt::format("({}, {})", coordinate[map.level_of(0)], coordinate[map.level_of(1)]), times);
}

bool is_rows(const Format& format) { return format.order() == 2 && format.level(0).full() && format.level(1).packed(); }

/// A matrix of ascending rows, dense or compressed, and compressed columns without repeats, whose arrays have the types
/// that Lacuna makes and hold the entries without gaps.
bool has_row_runs(const Storage& tensor) {
  if (tensor.order() != 2 || !tensor.format.level(1).packed()) return false;
  const LevelStorage& outer = tensor.levels[0];
  const LevelStorage& inner = tensor.levels[1];
  const LevelFormat& rows = tensor.format.level(0);
  if (!rows.full() && !rows.packed()) return false;
  if (!rows.ordered || !rows.unique || !tensor.format.level(1).unique) return false;
  const bool listed = rows.packed();
  const Type type = coordinate_type(*std::max_element(tensor.dimensions.begin(), tensor.dimensions.end()));
  if (type != coordinate_type(*std::min_element(tensor.dimensions.begin(), tensor.dimensions.end()))) return false;
  if (type != inner.crd.type() || (listed && type != outer.crd.type())) return false;
  if (inner.pos.type() != Type::Int32 && inner.pos.type() != Type::Int64) return false;
  const std::int64_t first = inner.pos.base();
  const std::int64_t last = first + inner.pos.size() - 1;
  return last - first == outer.positions && (!listed || outer.crd.size() == outer.positions) &&
         inner.pos.integer(first) == inner.crd.base() && inner.crd.base() == tensor.values.base() &&
         inner.pos.integer(last) - inner.pos.integer(first) == inner.crd.size() &&
         inner.crd.size() == tensor.values.size();
}

}  // namespace

bool is_packed(const Entries& entries, const Format& format) {
  return is_rows(format) && entries.columns[0].type() == entries.columns[1].type();
}

Storage pack_rows(const Entries& entries, const std::vector<std::int64_t>& dimensions, const Format& format,
                  const PackOptions& options) {
  const std::int64_t row_count = multiply_sizes(1, entries.extents[0], "a dense level");
  Rows rows = with_coordinates(entries.columns[0], [&](auto row_of) {
    using Coordinate = std::remove_const_t<typename decltype(row_of)::element_type>;
    const ListedColumns<Coordinate> columns{entries.columns[1].view<Coordinate>()};
    return deal_rows(row_of, columns, entries.values, options.settled, row_count, options.threads);
  });
  LevelStorage outer;
  outer.extent = outer.positions = row_count;
  LevelStorage inner;
  inner.extent = entries.extents[1];
  inner.pos = std::move(rows.pos);
  inner.crd = std::move(rows.crd);
  if (rows.repeats) {
    if (options.duplicates == Duplicates::Refuse) refuse_repeat(inner, entries.map);
    const std::int64_t left = visit_type(rows.values.type(), [&](auto zero) {
      return with_mutable_coordinates(inner.pos, [&](auto pos) {
        return with_mutable_coordinates(
            inner.crd, [&](auto crd) { return sum_repeats(pos, crd, rows.values.mutable_view<decltype(zero)>()); });
      });
    });
    inner.crd = shortened(inner.crd, left);
    rows.values = shortened(rows.values, left);
  }
  inner.positions = rows.values.size();
  return {format, rows.values.type(), dimensions, options.fill, {std::move(outer), std::move(inner)}, rows.values};
}

std::optional<Storage> transpose_rows(const Storage& tensor, const Format& format, int threads) {
  if (!is_rows(format) || tensor.format.map() == format.map() || !has_row_runs(tensor)) return std::nullopt;
  const LevelStorage& outer = tensor.levels[0];
  const LevelStorage& inner = tensor.levels[1];
  const bool listed = tensor.format.level(0).packed();
  const auto dimension = [&](int level) {
    return tensor.dimensions[static_cast<std::size_t>(tensor.format.map().mode_of(level))];
  };
  const std::int64_t row_count = multiply_sizes(1, dimension(1), "a dense level");
  Rows rows = with_coordinates(inner.crd, [&](auto row_of) {
    using Coordinate = std::remove_const_t<typename decltype(row_of)::element_type>;
    return with_coordinates(inner.pos, [&](auto starts) {
      using Start = std::remove_const_t<typename decltype(starts)::element_type>;
      const Coordinate* const given = listed ? outer.crd.view<Coordinate>().data() : nullptr;
      const RunColumns<Coordinate, Start> columns{starts, given, static_cast<Coordinate>(outer.origin)};
      return deal_rows(row_of, columns, tensor.values, true, row_count, threads);
    });
  });
  LevelStorage rows_level;
  rows_level.extent = rows_level.positions = row_count;
  LevelStorage columns_level;
  columns_level.extent = dimension(0);
  columns_level.positions = rows.values.size();
  columns_level.pos = std::move(rows.pos);
  columns_level.crd = std::move(rows.crd);
  return Storage{
      format,     tensor.type, tensor.dimensions, tensor.fill, {std::move(rows_level), std::move(columns_level)},
      rows.values};
}

}  // namespace lacuna

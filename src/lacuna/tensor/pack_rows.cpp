#include "lacuna/tensor/pack_rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/radix.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {

namespace {

/// An element of any type, moved as bytes.
template <std::size_t Width>
struct Element {
  unsigned char bytes[Width];
};

/// Rows up to this length are sorted by insertion.
constexpr std::int64_t short_row = 48;

/// One row's columns and values, sorted in place by column, stably.
template <typename Column, typename Value>
class RowSorter {
 public:
  /// True where a column repeats.
  bool sort(std::span<Column> columns, Value* values) {
    if (!std::is_sorted(columns.begin(), columns.end())) {
      if (static_cast<std::int64_t>(columns.size()) <= short_row) insert(columns, values);
      else sort_long(columns, values);
    }
    return std::adjacent_find(columns.begin(), columns.end()) != columns.end();
  }

 private:
  static void insert(std::span<Column> columns, Value* values) {
    for (std::size_t i = 1; i < columns.size(); ++i) {
      const Column column = columns[i];
      if (columns[i - 1] <= column) continue;
      const Value value = values[i];
      std::size_t hole = i;
      for (; hole > 0 && columns[hole - 1] > column; --hole) {
        columns[hole] = columns[hole - 1];
        values[hole] = values[hole - 1];
      }
      columns[hole] = column;
      values[hole] = value;
    }
  }

  void sort_long(std::span<Column> columns, Value* values) {
    const std::size_t size = columns.size();
    items_.resize(size);
    scratch_.resize(size);
    values_.assign(values, values + size);
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < size; ++i) {
      items_[i] = {static_cast<std::uint64_t>(columns[i]), i};
      all |= items_[i].key;
    }
    radix_sort(items_, scratch_, static_cast<int>(std::bit_width(all)), 1);
    for (std::size_t i = 0; i < size; ++i) {
      columns[i] = static_cast<Column>(items_[i].key);
      values[i] = values_[items_[i].word];
    }
  }

  std::vector<KeyedWord> items_;
  std::vector<KeyedWord> scratch_;
  std::vector<Value> values_;
};

/// The rows that start before a share of the entries does: bounds that give each chunk about as many entries.
template <typename Pos>
std::vector<std::int64_t> balanced_rows(std::span<const Pos> starts, int chunks) {
  std::vector<std::int64_t> bounds = {0};
  const auto total = static_cast<double>(starts.empty() ? 0 : starts.back());
  for (int chunk = 1; chunk < chunks; ++chunk) {
    const auto share = static_cast<Pos>(total * chunk / chunks);
    bounds.push_back(std::lower_bound(starts.begin(), starts.end(), share) - starts.begin());
  }
  bounds.push_back(static_cast<std::int64_t>(starts.size()));
  return bounds;
}

/// pos[r+1] = the first position of row r, so that dealing the row's entries moves it to their end, where it belongs.
template <typename Row, typename Pos>
void count_rows(std::span<const Row> rows, std::span<Pos> pos, int chunks) {
  const auto count = static_cast<std::int64_t>(pos.size()) - 1;
  // A chunk of rows a thread: each reads all entries, and none writes where another does.
  run_chunks(chunks, count, [&](int, std::int64_t begin, std::int64_t end) {
    for (const Row row : rows) {
      if (chunks == 1 || (row >= begin && row < end)) ++pos[static_cast<std::size_t>(row) + 1];
    }
  });
  Pos place = 0;
  for (std::size_t r = 1; r < pos.size(); ++r) place += std::exchange(pos[r], place);
}

/// Deals and sorts; true where some coordinate repeats.
template <typename Row, typename Column, typename Pos, typename Value>
bool deal_rows(std::span<const Row> rows, std::span<const Column> columns, const Value* values, std::span<Pos> pos,
               std::span<Column> crd, Value* to, int chunks) {
  const std::vector<std::int64_t> bounds = balanced_rows<Pos>(pos.subspan(1), chunks);
  std::atomic<bool> repeats{false};
  std::atomic<bool> failed{false};
  run_chunks(chunks, chunks, [&](int chunk, std::int64_t, std::int64_t) {
    const std::int64_t begin = bounds[static_cast<std::size_t>(chunk)];
    const std::int64_t end = bounds[static_cast<std::size_t>(chunk) + 1];
    Pos first = begin < end ? pos[static_cast<std::size_t>(begin) + 1] : 0;
    for (std::size_t e = 0; e < rows.size(); ++e) {
      if (chunks > 1 && (rows[e] < begin || rows[e] >= end)) continue;
      const Pos p = pos[static_cast<std::size_t>(rows[e]) + 1]++;
      crd[static_cast<std::size_t>(p)] = columns[e];
      to[p] = values[e];
    }
    try {
      RowSorter<Column, Value> sorter;
      for (std::int64_t r = begin; r < end; ++r) {
        const Pos last = pos[static_cast<std::size_t>(r) + 1];
        const auto row = crd.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
        if (row.size() > 1 && sorter.sort(row, to + first)) repeats = true;
        first = last;
      }
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  });
  if (failed) throw RuntimeFailure("out of memory: a row could not be sorted");
  return repeats;
}

/// Calls f with a pointer to elements of the array's width.
template <typename F>
decltype(auto) with_elements(Array& array, F&& f) {
  void* const data = array.mutable_data();
  switch (size_of(array.type())) {
    case 1: return f(static_cast<Element<1>*>(data));
    case 2: return f(static_cast<Element<2>*>(data));
    case 4: return f(static_cast<Element<4>*>(data));
    case 8: return f(static_cast<Element<8>*>(data));
    default: return f(static_cast<Element<16>*>(data));
  }
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

}  // namespace

bool is_rows(const Format& format) {
  return format.order() == 2 && format.level(0).kind == LevelKind::Dense &&
         format.level(1).kind == LevelKind::Compressed;
}

Storage pack_rows(const Entries& entries, const std::vector<std::int64_t>& dimensions, const Format& format,
                  Duplicates duplicates, const Scalar& fill, int threads) {
  const std::int64_t rows = multiply_sizes(1, entries.extents[0], "a dense level");
  const int chunks = worthwhile_threads(threads, entries.size());
  LevelStorage outer;
  outer.extent = outer.positions = rows;
  LevelStorage inner;
  inner.extent = entries.extents[1];
  inner.pos = Array::allocate(position_type(entries.size()), rows + 1, true);
  inner.crd = Array::allocate(entries.columns[1].type(), entries.size(), false);
  Array given = entries.values;
  Array values = Array::allocate(given.type(), entries.size(), false);
  bool repeats = false;
  with_coordinates(entries.columns[0], [&](auto row_of) {
    with_mutable_coordinates(inner.pos, [&](auto pos) {
      count_rows(row_of, pos, chunks);
      with_coordinates(entries.columns[1], [&](auto column_of) {
        auto crd = inner.crd.mutable_view<std::remove_const_t<typename decltype(column_of)::element_type>>();
        with_elements(values, [&](auto* to) {
          using Value = std::remove_pointer_t<decltype(to)>;
          repeats = deal_rows(row_of, column_of, static_cast<const Value*>(given.data()), pos, crd, to, chunks);
        });
      });
    });
  });
  if (repeats) {
    if (duplicates == Duplicates::Refuse) refuse_repeat(inner, entries.map);
    const std::int64_t left = visit_type(values.type(), [&](auto zero) {
      return with_mutable_coordinates(inner.pos, [&](auto pos) {
        return with_mutable_coordinates(
            inner.crd, [&](auto crd) { return sum_repeats(pos, crd, values.mutable_view<decltype(zero)>()); });
      });
    });
    inner.crd = shortened(inner.crd, left);
    values = shortened(values, left);
  }
  inner.positions = values.size();
  return {format, given.type(), dimensions, fill, {std::move(outer), std::move(inner)}, std::move(values)};
}

}  // namespace lacuna

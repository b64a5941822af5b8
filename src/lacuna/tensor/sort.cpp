#include "lacuna/tensor/sort.h"

#include <cstring>

#include "lacuna/support/check.h"
#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/keys.h"

namespace lacuna {

namespace {

/// Copies elements of `Width` bytes, whatever their type.
template <std::size_t Width, typename Index>
void gather_bytes(std::span<const Index> order, const void* from, void* to, int threads) {
  const auto* source = static_cast<const unsigned char*>(from);
  auto* target = static_cast<unsigned char*>(to);
  const auto size = static_cast<std::int64_t>(order.size());
  run_chunks(worthwhile_threads(threads, size), size, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::memcpy(target + static_cast<std::size_t>(i) * Width, source + std::size_t{order[i]} * Width, Width);
    }
  });
}

template <typename Index>
void gather_any(int width, std::span<const Index> order, const void* from, void* to, int threads) {
  switch (width) {
    case 1: return gather_bytes<1>(order, from, to, threads);
    case 2: return gather_bytes<2>(order, from, to, threads);
    case 4: return gather_bytes<4>(order, from, to, threads);
    case 8: return gather_bytes<8>(order, from, to, threads);
    default: return gather_bytes<16>(order, from, to, threads);
  }
}

template <typename F>
void with_order(Array& order, F&& f) {
  if (order.type() == Type::UInt32) f(order.mutable_view<std::uint32_t>());
  else f(order.mutable_view<std::uint64_t>());
}

/// -1, 0, 1: how entry e stands to the one before it by the columns from the third on.
int compare_rest(std::span<const IntegerReader> columns, std::int64_t e) {
  for (const IntegerReader& column : columns) {
    const std::int64_t before = column[e - 1];
    const std::int64_t here = column[e];
    if (before != here) return before < here ? -1 : 1;
  }
  return 0;
}

/// Unsorted at the first descent. A tie in one column asks the next, so that most pairs read one column or two.
template <typename First, typename Second>
Sortedness scan(First first, Second second, std::span<const IntegerReader> rest) {
  bool unique = true;
  const auto size = static_cast<std::int64_t>(first.size());
  for (std::int64_t e = 1; e < size; ++e) {
    if (first[e - 1] < first[e]) continue;
    if (first[e - 1] > first[e]) return Sortedness::Unsorted;
    if (second[e - 1] < second[e]) continue;
    if (second[e - 1] > second[e]) return Sortedness::Unsorted;
    const int order = compare_rest(rest, e);
    if (order > 0) return Sortedness::Unsorted;
    unique = unique && order != 0;
  }
  return unique ? Sortedness::SortedUnique : Sortedness::Sorted;
}

/// Stands in for the second column of a list that has one.
struct AlwaysTied {
  int operator[](std::int64_t) const { return 0; }
};

}  // namespace

Sortedness sortedness(std::span<const Array> columns) {
  if (columns.empty()) return Sortedness::Sorted;  // nothing tells the entries of a scalar apart
  std::vector<IntegerReader> rest;
  for (std::size_t k = 2; k < columns.size(); ++k) rest.emplace_back(columns[k]);
  return with_coordinates(columns[0], [&](auto first) {
    if (columns.size() == 1) return scan(first, AlwaysTied(), rest);
    return with_coordinates(columns[1], [&](auto second) { return scan(first, second, rest); });
  });
}

Array sorted_order(std::span<const Array> columns, std::span<const std::int64_t> extents, int threads) {
  internal_check(!columns.empty() && columns.size() == extents.size(), "{} columns to sort by {} extents",
                 columns.size(), extents.size());
  const std::int64_t size = columns.front().size();
  Array order = Array::allocate(size <= 0x7fffffff ? Type::UInt32 : Type::UInt64, size, false);
  SortBuffers buffers(size);
  const std::span<KeyedWord> items = buffers.items();
  bool first_key = true;
  for (const KeyLayout& layout : key_layouts(extents)) {
    if (first_key) {
      pack_keys(layout, columns, items, threads);
      for (std::size_t i = 0; i < items.size(); ++i) items[i].word = i;
    } else {
      // The next key sorts what is already in the order of the keys that weigh less.
      std::vector<Array> gathered(columns.begin(), columns.end());
      for (std::size_t k = 0; k < layout.shifts.size(); ++k) {
        gathered[layout.first + k] = gather(columns[layout.first + k], order, threads);
      }
      pack_keys(layout, gathered, items, threads);
      with_order(order, [&](auto numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i) items[i].word = numbers[i];
      });
    }
    radix_sort(items, buffers.scratch(), layout.bits, threads);
    with_order(order, [&](auto numbers) {
      using Number = typename decltype(numbers)::value_type;
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<Number>(items[i].word);
    });
    first_key = false;
  }
  return order;
}

Array gather(const Array& array, const Array& order, int threads) {
  Array result = Array::allocate(array.type(), order.size(), false);
  const int width = size_of(array.type());
  if (order.type() == Type::UInt32) {
    gather_any<std::uint32_t>(width, order.view<std::uint32_t>(), array.data(), result.mutable_data(), threads);
  } else {
    gather_any<std::uint64_t>(width, order.view<std::uint64_t>(), array.data(), result.mutable_data(), threads);
  }
  return result;
}

}  // namespace lacuna

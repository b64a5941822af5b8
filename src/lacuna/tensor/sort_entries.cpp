#include <algorithm>
#include <cstring>
#include <type_traits>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/keys.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {

namespace {

template <std::size_t Width>
void load_words(const Array& values, std::span<KeyedWord> items, int threads) {
  const auto* from = static_cast<const unsigned char*>(values.data());
  const auto size = static_cast<std::int64_t>(items.size());
  run_chunks(worthwhile_threads(threads, size), size, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      items[i].word = 0;
      std::memcpy(&items[i].word, from + static_cast<std::size_t>(i) * Width, Width);
    }
  });
}

template <std::size_t Width>
void store_words(std::span<const KeyedWord> items, Array& values, int threads) {
  auto* to = static_cast<unsigned char*>(values.mutable_data());
  const auto size = static_cast<std::int64_t>(items.size());
  run_chunks(worthwhile_threads(threads, size), size, [&](int, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::memcpy(to + static_cast<std::size_t>(i) * Width, &items[i].word, Width);
    }
  });
}

/// Merges neighbours with equal keys, closing the gaps; returns what remains. Sums are made in the promoted type.
template <typename T>
std::size_t sum_equal_keys(std::span<KeyedWord> items) {
  const auto value_of = [](const KeyedWord& item) {
    T value;
    std::memcpy(static_cast<void*>(&value), &item.word, sizeof(T));
    return widen(value);
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.size();) {
    KeyedWord item = items[i];
    auto sum = value_of(item);
    for (++i; i < items.size() && items[i].key == item.key; ++i) sum = add_wrapping(sum, value_of(items[i]));
    T value{};
    if constexpr (std::is_same_v<T, bool>) value = sum != 0;
    else value = static_cast<T>(sum);
    std::memcpy(&item.word, &value, sizeof(T));
    items[next++] = item;
  }
  return next;
}

bool has_equal_neighbours(std::span<const KeyedWord> items) {
  return std::adjacent_find(items.begin(), items.end(),
                            [](const KeyedWord& a, const KeyedWord& b) { return a.key == b.key; }) != items.end();
}

/// A value of up to a word travels with its key, which spares the random reads of a gather at the end. Entries that
/// nobody else holds are given back before there are two of each.
template <typename T>
void sort_with_values(Entries& entries, const KeyLayout& layout, Duplicates duplicates, int threads) {
  SortBuffers buffers(entries.size());
  std::span<KeyedWord> items = buffers.items();
  pack_keys(layout, entries.columns, items, threads);
  load_words<sizeof(T)>(entries.values, items, threads);
  for (Array& column : entries.columns) column = Array::allocate(column.type(), 0, false);
  entries.values = Array::allocate(entries.values.type(), 0, false);
  radix_sort(items, buffers.scratch(), layout.bits, threads);
  buffers.drop_scratch();
  const bool repeats = has_equal_neighbours(items);
  if (repeats && duplicates == Duplicates::Sum) items = items.first(sum_equal_keys<T>(items));
  const auto size = static_cast<std::int64_t>(items.size());
  for (Array& column : entries.columns) column = Array::allocate(column.type(), size, false);
  unpack_keys(layout, items, entries.columns, threads);
  entries.values = Array::allocate(entries.values.type(), size, false);
  store_words<sizeof(T)>(items, entries.values, threads);
  if (repeats && duplicates == Duplicates::Refuse) coalesce(entries, duplicates);
}

}  // namespace

void sort_and_coalesce(Entries& entries, Duplicates duplicates, int threads) {
  const Sortedness before = sortedness(entries.columns);
  if (before == Sortedness::SortedUnique) return;
  if (before == Sortedness::Sorted) return coalesce(entries, duplicates);
  const std::vector<KeyLayout> layouts = key_layouts(entries.extents);
  if (layouts.size() == 1 && size_of(entries.values.type()) <= 8) {
    return visit_type(entries.values.type(), [&](auto zero) {
      if constexpr (sizeof(zero) <= 8) sort_with_values<decltype(zero)>(entries, layouts[0], duplicates, threads);
    });
  }
  const Array order = sorted_order(entries.columns, entries.extents, threads);
  for (Array& column : entries.columns) column = gather(column, order, threads);
  entries.values = gather(entries.values, order, threads);
  coalesce(entries, duplicates);
}

}  // namespace lacuna

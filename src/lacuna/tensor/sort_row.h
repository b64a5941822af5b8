#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lacuna/tensor/radix.h"

namespace lacuna {

/// Sorts one row's columns, and its values with them, in place and stably. Keeps its memory from row to row.
template <typename Column, typename Value>
class RowSorter {
 public:
  /// True where a column repeats. Throws std::bad_alloc.
  bool sort(std::span<Column> columns, Value* values) {
    if (!std::is_sorted(columns.begin(), columns.end())) {
      if (columns.size() <= 8) rank<8>(columns, values);
      else if (columns.size() <= 16) rank<16>(columns, values);
      else if (columns.size() <= 32) rank<32>(columns, values);
      else sort_long(columns, values);
    }
    return std::adjacent_find(columns.begin(), columns.end()) != columns.end();
  }

 private:
  /// Counts for each entry those that come before it: for short rows, branches that depend on the data cost more.
  template <std::size_t Most>
  static void rank(std::span<Column> columns, Value* values) {
    Column before[Most];
    Value moved[Most];
    const std::size_t size = columns.size();
    std::copy(columns.begin(), columns.end(), before);
    std::fill(before + size, before + Most, std::numeric_limits<Column>::max());
    std::copy(values, values + size, moved);
    for (std::size_t i = 0; i < size; ++i) {
      const Column column = before[i];
      Column place = 0;
      for (std::size_t k = 0; k < Most; ++k) place += before[k] < column ? 1 : 0;
      for (std::size_t k = 0; k < i; ++k) place += before[k] == column ? 1 : 0;
      columns[static_cast<std::size_t>(place)] = column;
      values[place] = moved[i];
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

}  // namespace lacuna

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/tensor/array.h"
#include "lacuna/tensor/radix.h"

namespace lacuna {

/// Bits that hold every coordinate below `extent`.
int key_bits(std::int64_t extent);

/// Where the coordinates of neighbouring columns stand in one 64-bit key, the first column highest.
struct KeyLayout {
  std::size_t first = 0;    // the columns [first, first + shifts.size())
  std::vector<int> shifts;  // by column
  std::vector<int> widths;
  int bits = 0;
};

/// As few keys as hold all columns, from the columns that weigh least to those that weigh most.
std::vector<KeyLayout> key_layouts(std::span<const std::int64_t> extents);

/// Items and scratch for a sort. Neither is zeroed, and scratch takes no memory before it is written to.
class SortBuffers {
 public:
  explicit SortBuffers(std::int64_t size);
  std::span<KeyedWord> items() { return span_of(items_); }
  std::span<KeyedWord> scratch() { return span_of(scratch_); }
  /// Gives the memory of scratch back.
  void drop_scratch() { scratch_ = {}; }

 private:
  static std::span<KeyedWord> span_of(Array& memory);
  Array items_, scratch_;
};

/// items[i].key = the key of entry i.
void pack_keys(const KeyLayout& layout, std::span<const Array> columns, std::span<KeyedWord> items, int threads);

/// Reads the columns back from the keys.
void unpack_keys(const KeyLayout& layout, std::span<const KeyedWord> items, std::span<Array> columns, int threads);

}  // namespace lacuna

#include "lacuna/tensor/keys.h"

#include <algorithm>
#include <bit>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Column after column over a block that stays in the cache.
constexpr std::int64_t block = 1024;

/// A shift by all 64 bits, which the language leaves undefined, only ever meets a column without bits.
std::uint64_t shift_left(std::uint64_t value, int by) { return by < 64 ? value << by : 0; }
std::uint64_t shift_right(std::uint64_t value, int by) { return by < 64 ? value >> by : 0; }

}  // namespace

int key_bits(std::int64_t extent) {
  return extent <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)));
}

std::vector<KeyLayout> key_layouts(std::span<const std::int64_t> extents) {
  std::vector<KeyLayout> layouts;
  for (std::size_t k = extents.size(); k-- > 0;) {
    const int bits = key_bits(extents[k]);
    if (layouts.empty() || layouts.back().bits + bits > 64) layouts.emplace_back();
    KeyLayout& layout = layouts.back();
    layout.first = k;
    layout.shifts.insert(layout.shifts.begin(), layout.bits);
    layout.widths.insert(layout.widths.begin(), bits);
    layout.bits += bits;
  }
  return layouts;
}

SortBuffers::SortBuffers(std::int64_t size)
    : items_(Array::allocate(Type::UInt64, 2 * size, false)),
      scratch_(Array::allocate(Type::UInt64, 2 * size, false)) {}

std::span<KeyedWord> SortBuffers::span_of(Array& memory) {
  return {static_cast<KeyedWord*>(memory.mutable_data()), static_cast<std::size_t>(memory.size() / 2)};
}

void pack_keys(const KeyLayout& layout, std::span<const Array> columns, std::span<KeyedWord> items, int threads) {
  const auto size = static_cast<std::int64_t>(items.size());
  run_chunks(worthwhile_threads(threads, size), size, [&](int, std::int64_t chunk_begin, std::int64_t chunk_end) {
    for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += block) {
      const std::int64_t end = std::min(begin + block, chunk_end);
      for (std::int64_t i = begin; i < end; ++i) items[i].key = 0;
      for (std::size_t k = 0; k < layout.shifts.size(); ++k) {
        const int shift = layout.shifts[k];
        with_coordinates(columns[layout.first + k], [&](auto column) {
          for (std::int64_t i = begin; i < end; ++i) {
            items[i].key |= shift_left(static_cast<std::uint64_t>(column[i]), shift);
          }
        });
      }
    }
  });
}

void unpack_keys(const KeyLayout& layout, std::span<const KeyedWord> items, std::span<Array> columns, int threads) {
  const auto size = static_cast<std::int64_t>(items.size());
  run_chunks(worthwhile_threads(threads, size), size, [&](int, std::int64_t chunk_begin, std::int64_t chunk_end) {
    for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += block) {
      const std::int64_t end = std::min(begin + block, chunk_end);
      for (std::size_t k = 0; k < layout.shifts.size(); ++k) {
        const int shift = layout.shifts[k];
        const std::uint64_t mask = shift_left(1, layout.widths[k]) - 1;
        with_mutable_coordinates(columns[layout.first + k], [&](auto column) {
          using Coordinate = typename decltype(column)::value_type;
          for (std::int64_t i = begin; i < end; ++i) {
            column[i] = static_cast<Coordinate>(shift_right(items[i].key, shift) & mask);
          }
        });
      }
    }
  });
}

}  // namespace lacuna

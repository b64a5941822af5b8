#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace lacuna {

/// One byte an element of a block, 0 or 1: set by loops that the compiler vectorises, read 64 at a time, so that no
/// branch depends on a single element.
class Flags {
 public:
  static constexpr std::int64_t capacity = 2048;

  explicit Flags(std::int64_t size) : size_(size) {
    std::fill_n(bytes_.begin(), (size + 63) / 64 * 64, std::uint8_t{0});
  }

  std::int64_t size() const { return size_; }
  std::uint8_t* data() { return bytes_.data(); }
  std::int64_t count() const { return std::accumulate(bytes_.begin(), bytes_.begin() + size_, std::int32_t{0}); }

  /// Bit i is flag first + i; `first` is a multiple of 64.
  std::uint64_t word(std::int64_t first) const {
    std::uint64_t bits = 0;
    for (int byte = 7; byte >= 0; --byte) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, bytes_.data() + first + 8 * byte, 8);
      // The product's highest byte gathers the lowest bits of the eight.
      bits = bits << 8 | (eight * 0x0102040810204080) >> 56;
    }
    return bits;
  }

 private:
  std::int64_t size_;
  alignas(64) std::array<std::uint8_t, capacity> bytes_;
};

/// Calls f(i) for every bit i that is set.
template <typename F>
void each_bit(std::uint64_t bits, F&& f) {
  for (; bits != 0; bits &= bits - 1) f(std::int64_t{std::countr_zero(bits)});
}

}  // namespace lacuna

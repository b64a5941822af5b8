#pragma once

#include <bit>
#include <cstdint>

namespace lacuna {

/// SplitMix64: small, fast, and the same numbers on every machine, which the standard library's distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += step;
    std::uint64_t x = state_;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  /// Uniform in [0, limit); limit > 0.
  std::int64_t below(std::int64_t limit) {
    if (limit == 1) return 0;
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(limit - 1)));
    while (true) {
      const auto x = static_cast<std::int64_t>(next() >> (64 - bits));
      if (x < limit) return x;
    }
  }

  /// As if so many numbers had been drawn.
  void skip(std::int64_t count) { state_ += static_cast<std::uint64_t>(count) * step; }

 private:
  static constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;

  std::uint64_t state_;
};

}  // namespace lacuna

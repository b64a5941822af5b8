#pragma once

#include <cstdint>
#include <vector>

namespace lacuna::fuzz {

/// A seeded source of choices. The same seed gives the same choices on every machine, which <random> does not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// Uniform in [0, n); n is at least 1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  /// Uniform in [low, high].
  int between(int low, int high) { return low + below(high - low + 1); }
  bool percent(int chance) { return below(100) < chance; }
  /// An index drawn in proportion to its weight.
  int weighted(const std::vector<int>& weights) {
    int total = 0;
    for (const int w : weights) total += w;
    int left = below(total);
    int k = 0;
    while (left >= weights[static_cast<std::size_t>(k)]) left -= weights[static_cast<std::size_t>(k++)];
    return k;
  }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t k = list.size(); k > 1; --k)
      std::swap(list[k - 1], list[static_cast<std::size_t>(below(static_cast<int>(k)))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace lacuna::fuzz

#include <algorithm>
#include <bit>
#include <cmath>

#include "lacuna/support/check.h"
#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/generate/distinct.h"
#include "lacuna/tensor/generate/random.h"

namespace lacuna {

namespace {

/// 2^x from square roots and products alone, which IEEE rounds alike everywhere; the library's exp2 may differ by a
/// bit.
double power_of_two(double x) {
  const double whole = std::floor(x);
  double rest = x - whole;
  double result = std::ldexp(1.0, static_cast<int>(whole));
  double root = 2;
  for (int bit = 0; bit < 52; ++bit) {
    root = std::sqrt(root);
    rest *= 2;
    if (rest >= 1) {
      result *= root;
      rest -= 1;
    }
  }
  return result;
}

/// Draws c in [0, dimension) with a probability that falls as (c+1)^-skew, in steps at the powers of two.
class PowerLaw {
 public:
  PowerLaw(std::int64_t dimension, double skew) : dimension_(dimension) {
    const int buckets = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(dimension)));
    const double ratio = power_of_two(1 - skew);
    std::vector<double> weights;
    double weight = 1;
    for (int k = 0; k < buckets; ++k, weight *= ratio) {
      weights.push_back(weight * static_cast<double>(width(k)) / static_cast<double>(std::int64_t{1} << k));
    }
    double total = 0;
    for (const double w : weights) total += w;
    double below = 0;
    for (const double w : weights) {
      below += w;
      limits_.push_back(static_cast<std::uint64_t>(below / total * 0x1p32));
    }
  }

  std::int64_t draw(Random& random) const {
    const std::uint64_t x = random.next() >> 32;
    const auto found = std::upper_bound(limits_.begin(), limits_.end() - 1, x);
    const int bucket = static_cast<int>(found - limits_.begin());
    return (std::int64_t{1} << bucket) - 1 + random.below(width(bucket));
  }

 private:
  /// Coordinates c with 2^k <= c+1 < 2^(k+1) below the dimension.
  std::int64_t width(int k) const {
    const std::int64_t begin = std::int64_t{1} << k;
    return std::min(begin, dimension_ - begin + 1);
  }

  std::int64_t dimension_;
  std::vector<std::uint64_t> limits_;
};

}  // namespace

CoordinateList generate_skewed(const std::vector<std::int64_t>& dimensions, std::int64_t nonzeros, double skew,
                               std::uint64_t seed, Type type, const GeneratorShare& share) {
  if (!(skew > 0) || skew > 64) user_error("the skew is {}; it must be above 0 and at most 64", skew);
  check_count(dimensions, nonzeros);
  std::vector<PowerLaw> laws;
  if (count_positions(dimensions) > 0)
    for (const std::int64_t dimension : dimensions) laws.emplace_back(dimension, skew);
  const Draw draw = [laws, random = Random(seed)](std::span<std::int64_t> coordinate) mutable {
    for (std::size_t m = 0; m < coordinate.size(); ++m) coordinate[m] = laws[m].draw(random);
  };
  constexpr int rounds = 16;
  return draw_distinct(dimensions, nonzeros, rounds, draw, seed, type, share, stretch_of(dimensions, draw, share));
}

}  // namespace lacuna

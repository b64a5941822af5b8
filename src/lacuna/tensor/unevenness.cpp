#include "lacuna/tensor/unevenness.h"

#include <algorithm>

#include "lacuna/tensor/integers.h"

// Two samples. Blocks of neighbouring parents, which cover the level, find parts that hold more than others. Single
// parents find long ones among short ones: a sum over all entries of the length of an entry's row, beside what that
// would be if each entry chose its row alone (then the sum of squares of the lengths is that of a Poisson
// distribution).
namespace lacuna {
namespace {

constexpr std::int64_t blocks = 64, single = 128;

}  // namespace

double unevenness_of(const LevelFormat& format, const LevelStorage& level) {
  const std::int64_t parents = level.pos.size() - 1;
  if (!format.packed() || parents < 1 || level.crd.size() == 0) return 0;
  const IntegerReader pos(level.pos);
  const std::int64_t first = level.pos.base();
  const auto stored_in = [&](std::int64_t from, std::int64_t to) {
    return static_cast<double>(std::max<std::int64_t>(0, pos[first + to] - pos[first + from]));
  };
  const std::int64_t cuts = std::min(blocks, parents), samples = std::min(single, parents);
  double longest = 0, sum = 0, squares = 0;
  for (std::int64_t b = 0; b < cuts; ++b)
    longest = std::max(longest, stored_in(parents * b / cuts, parents * (b + 1) / cuts));
  for (std::int64_t s = 0; s < samples; ++s) {
    const std::int64_t p = parents * s / samples;
    const double length = stored_in(p, p + 1);
    sum += length;
    squares += length * length;
  }
  const double mean_of_blocks = stored_in(0, parents) / static_cast<double>(cuts);
  const double mean = sum / static_cast<double>(samples);
  const double of_rows = sum > 0 ? squares / static_cast<double>(samples) / (mean * (mean + 1)) : 0;
  return std::max(longest / (mean_of_blocks + 1), of_rows);
}

}  // namespace lacuna

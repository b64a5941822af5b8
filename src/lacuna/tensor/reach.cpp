#include "lacuna/tensor/reach.h"

#include <algorithm>

#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

constexpr std::int64_t samples = 16;
constexpr std::int64_t neighbours = 8;  // parents in each

}  // namespace

std::int64_t reach_of(const LevelFormat& format, const LevelStorage& level) {
  const std::int64_t parents = level.pos.size() - 1, stored = level.crd.size();
  if (!format.packed() || !format.ordered || parents < 1 || stored == 0) return 0;
  const IntegerReader pos(level.pos), crd(level.crd);
  const std::int64_t first_parent = level.pos.base(), first = level.crd.base();
  std::int64_t sum = 0, counted = 0;
  for (std::int64_t s = 0; s < samples; ++s) {
    const std::int64_t begin = first_parent + std::max<std::int64_t>(0, parents - neighbours) * s / (samples - 1);
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (std::int64_t p = begin; p < std::min(begin + neighbours, first_parent + parents); ++p) {
      const std::int64_t from = pos[p], to = pos[p + 1];
      if (from >= to || from < first || to > first + stored) continue;
      low = std::min(low, crd[from]);
      high = std::max(high, crd[to - 1]);
    }
    if (low > high) continue;
    sum += high - low + 1;
    ++counted;
  }
  return counted == 0 ? 0 : sum / counted;
}

}  // namespace lacuna

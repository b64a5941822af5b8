#include "lacuna/distribute/parts/numbering.h"

#include <algorithm>

#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// By the number in the part, the rank in the region.
std::vector<std::int64_t> table_of(const IndexSet& part, const IndexSet& region) {
  std::vector<std::int64_t> table(static_cast<std::size_t>(part.size()), -1);
  AscendingRanks in_part(part), in_region(region);
  (part & region).for_each_interval([&](const Interval& run) {
    const std::int64_t from = in_part(run.begin), to = in_region(run.begin);
    for (std::int64_t k = 0; k < run.size(); ++k) table[static_cast<std::size_t>(from + k)] = to + k;
  });
  return table;
}

template <typename F>
std::vector<std::int64_t> each_of(const Array& coordinates, const F& rank) {
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(coordinates.size()));
  with_coordinates(coordinates, [&](auto all) {
    std::transform(all.begin(), all.end(), ranks.begin(), [&](auto c) { return rank(static_cast<std::int64_t>(c)); });
  });
  return ranks;
}

}  // namespace

std::vector<std::int64_t> ranks_in(const IndexSet& part, const IndexSet& region, const Array& coordinates) {
  if (part.is_interval() && region.is_interval()) {
    const std::int64_t shift = part.bounds().begin - region.bounds().begin, size = region.size();
    return each_of(coordinates, [=](std::int64_t c) { return c + shift >= 0 && c + shift < size ? c + shift : -1; });
  }
  // Sets may be much larger than what is stored.
  if (part.size() <= 8 * coordinates.size()) {
    const std::vector<std::int64_t> table = table_of(part, region);
    return each_of(coordinates, [&](std::int64_t c) { return table[static_cast<std::size_t>(c)]; });
  }
  const Coordinates number(part, coordinates.size());
  const Ranks rank(region);
  return each_of(coordinates, [&](std::int64_t c) { return rank.of(number[c]).value_or(-1); });
}

}  // namespace lacuna

#include <limits>

#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/generate/distinct.h"
#include "lacuna/tensor/generate/random.h"
#include "lacuna/tensor/generate/values.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Drawing into at most half of the positions halves what is missing at every round, so this many always do.
constexpr int enough_rounds = std::numeric_limits<int>::max();

CoordinateList draw_uniform(const std::vector<std::int64_t>& dimensions, std::int64_t count, std::uint64_t seed,
                            Type type) {
  Random random(seed);
  const Draw draw = [&](std::span<std::int64_t> coordinate) {
    for (std::size_t m = 0; m < coordinate.size(); ++m) coordinate[m] = random.below(dimensions[m]);
  };
  return draw_distinct(dimensions, count, enough_rounds, draw, seed, type);
}

/// Every position but the given sorted ones.
CoordinateList all_but(const CoordinateList& absent, std::int64_t positions, std::uint64_t seed, Type type) {
  const std::size_t order = absent.dimensions.size();
  const std::int64_t count = positions - absent.size();
  CoordinateList list{absent.dimensions, {}, random_values(type, count, seed)};
  for (const std::int64_t d : absent.dimensions)
    list.coordinates.push_back(Array::allocate(coordinate_type(d), count, false));
  std::vector<std::int64_t> coordinate(order, 0);
  std::int64_t skipped = 0;
  std::int64_t next = 0;
  const auto is_absent = [&] {
    if (skipped == absent.size()) return false;
    for (std::size_t m = 0; m < order; ++m) {
      if (absent.coordinates[m].integer(skipped) != coordinate[m]) return false;
    }
    return true;
  };
  for (std::int64_t p = 0; p < positions; ++p) {
    if (is_absent()) {
      ++skipped;
    } else {
      for (std::size_t m = 0; m < order; ++m) {
        with_mutable_coordinates(list.coordinates[m], [&](auto to) {
          to[next] = static_cast<typename decltype(to)::value_type>(coordinate[m]);
        });
      }
      ++next;
    }
    for (std::size_t m = order; m-- > 0 && ++coordinate[m] == absent.dimensions[m];) coordinate[m] = 0;
  }
  return list;
}

}  // namespace

CoordinateList generate_uniform(const std::vector<std::int64_t>& dimensions, std::int64_t nonzeros, std::uint64_t seed,
                                Type type) {
  check_count(dimensions, nonzeros);
  const std::int64_t positions = count_positions(dimensions);
  if (nonzeros <= positions / 2) return draw_uniform(dimensions, nonzeros, seed, type);
  return all_but(draw_uniform(dimensions, positions - nonzeros, seed, Type::Bool), positions, seed, type);
}

}  // namespace lacuna

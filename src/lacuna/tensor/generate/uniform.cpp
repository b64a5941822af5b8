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

Draw uniform_draw(const std::vector<std::int64_t>& dimensions, std::uint64_t seed) {
  return [dimensions, random = Random(seed)](std::span<std::int64_t> coordinate) mutable {
    for (std::size_t m = 0; m < coordinate.size(); ++m) coordinate[m] = random.below(dimensions[m]);
  };
}

/// The position of a coordinate in a tensor that has few enough of them.
std::int64_t position_of(const std::vector<std::int64_t>& coordinate, const std::vector<std::int64_t>& dimensions) {
  std::int64_t position = 0;
  for (std::size_t m = 0; m < dimensions.size(); ++m) position = position * dimensions[m] + coordinate[m];
  return position;
}

/// Every position of a stretch but the given sorted ones.
CoordinateList all_but(const CoordinateList& absent, std::int64_t positions, const CoordinateStretch& stretch,
                       std::uint64_t seed, Type type, const GeneratorShare& share) {
  const std::size_t order = absent.dimensions.size();
  std::vector<std::int64_t> coordinate = stretch.begin.value_or(std::vector<std::int64_t>(order));
  const std::int64_t begin = position_of(coordinate, absent.dimensions);
  const std::int64_t end = stretch.end ? position_of(*stretch.end, absent.dimensions) : positions;
  const std::int64_t count = end - begin - absent.size();
  CoordinateList list{absent.dimensions, {}, random_values(type, count, seed, share.sums(count).before)};
  for (const std::int64_t d : absent.dimensions)
    list.coordinates.push_back(Array::allocate(coordinate_type(d), count, false));
  std::int64_t skipped = 0;
  std::int64_t next = 0;
  const auto is_absent = [&] {
    if (skipped == absent.size()) return false;
    for (std::size_t m = 0; m < order; ++m) {
      if (absent.coordinates[m].integer(skipped) != coordinate[m]) return false;
    }
    return true;
  };
  for (std::int64_t p = begin; p < end; ++p) {
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
                                Type type, const GeneratorShare& share) {
  check_count(dimensions, nonzeros);
  const std::int64_t positions = count_positions(dimensions);
  const Draw draw = uniform_draw(dimensions, seed);
  const CoordinateStretch stretch = stretch_of(dimensions, draw, share);
  const bool is_sparse = nonzeros <= positions / 2;
  const CoordinateList drawn = draw_distinct(dimensions, is_sparse ? nonzeros : positions - nonzeros, enough_rounds,
                                             draw, seed, is_sparse ? type : Type::Bool, share, stretch);
  return is_sparse ? drawn : all_but(drawn, positions, stretch, seed, type, share);
}

}  // namespace lacuna

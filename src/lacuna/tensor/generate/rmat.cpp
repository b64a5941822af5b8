#include <algorithm>
#include <bit>

#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/generate/distinct.h"
#include "lacuna/tensor/generate/random.h"

namespace lacuna {

namespace {

int coordinate_bits(std::int64_t dimension) {
  return dimension <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(dimension - 1)));
}

/// Descends from the whole matrix to one entry, choosing a quadrant at each step. Probabilities in 1/65536, so that one
/// random word serves four steps: a = 0.57, b = c = 0.19.
class RmatDraw {
 public:
  RmatDraw(std::int64_t rows, std::int64_t columns, std::uint64_t seed)
      : rows_(rows),
        columns_(columns),
        row_bits_(coordinate_bits(rows)),
        column_bits_(coordinate_bits(columns)),
        random_(seed) {}

  void operator()(std::span<std::int64_t> coordinate) {
    do {
      descend(coordinate[0], coordinate[1]);
    } while (coordinate[0] >= rows_ || coordinate[1] >= columns_);
  }

 private:
  void descend(std::int64_t& row, std::int64_t& column) {
    row = column = 0;
    std::uint64_t word = 0;
    for (int bit = std::max(row_bits_, column_bits_) - 1, step = 0; bit >= 0; --bit, ++step) {
      if (step % 4 == 0) word = random_.next();
      const auto x = static_cast<int>(word & 0xffff);
      word >>= 16;
      constexpr int a = 37356;
      constexpr int b = 12452;
      constexpr int c = 12452;
      const bool lower = x >= a + b;
      const bool right = (x >= a && x < a + b) || x >= a + b + c;
      // A mode with no bits left merges the quadrants beside each other.
      if (bit < row_bits_ && lower) row |= std::int64_t{1} << bit;
      if (bit < column_bits_ && right) column |= std::int64_t{1} << bit;
    }
  }

  std::int64_t rows_;
  std::int64_t columns_;
  int row_bits_;
  int column_bits_;
  Random random_;
};

}  // namespace

CoordinateList generate_rmat(std::int64_t rows, std::int64_t columns, std::int64_t nonzeros, std::uint64_t seed,
                             Type type, const GeneratorShare& share) {
  constexpr int rounds = 16;
  check_count({rows, columns}, nonzeros);
  const RmatDraw draw(rows, columns, seed);
  return draw_distinct({rows, columns}, nonzeros, rounds, draw, seed, type, share,
                       stretch_of({rows, columns}, draw, share));
}

}  // namespace lacuna

#include <algorithm>

#include "lacuna/support/check.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/generate/values.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Counts the entries that `each(visit)` hands out as visit(row, column, value), then writes them.
template <typename Each>
CoordinateList matrix_of(std::int64_t rows, std::int64_t columns, Type type, const Each& each) {
  std::int64_t count = 0;
  each([&](std::int64_t, std::int64_t, int) { ++count; });
  CoordinateList list{{rows, columns}, {}, Array::allocate(type, count, false)};
  for (const std::int64_t dimension : list.dimensions) {
    list.coordinates.push_back(Array::allocate(coordinate_type(dimension), count, false));
  }
  with_mutable_coordinates(list.coordinates[0], [&](auto row_of) {
    with_mutable_coordinates(list.coordinates[1], [&](auto column_of) {
      visit_type(type, [&](auto zero) {
        auto values = list.values.mutable_view<decltype(zero)>();
        std::size_t e = 0;
        each([&](std::int64_t row, std::int64_t column, int value) {
          row_of[e] = static_cast<typename decltype(row_of)::value_type>(row);
          column_of[e] = static_cast<typename decltype(column_of)::value_type>(column);
          values[e++] = Scalar(value).as<decltype(zero)>();
        });
      });
    });
  });
  return list;
}

}  // namespace

CoordinateList generate_banded(std::int64_t rows, std::int64_t columns, std::int64_t half_bandwidth, std::uint64_t seed,
                               Type type, const GeneratorShare& share) {
  check_dimensions({rows, columns}, 2);
  if (half_bandwidth < 0) user_error("the half bandwidth is {}; it cannot be negative", half_bandwidth);
  const std::int64_t reach = std::min(half_bandwidth, std::max(rows, columns));
  const std::int64_t used = rows - reach > columns ? columns + reach : rows;  // rows with entries
  CoordinateList list = matrix_of(rows, columns, type, [&](auto visit) {
    for (std::int64_t i = share.first_of(used); i < share.end_of(used); ++i) {
      // Compared from the side that cannot overflow.
      const std::int64_t last = i < columns - 1 - reach ? i + reach : columns - 1;
      for (std::int64_t j = std::max<std::int64_t>(0, i - reach); j <= last; ++j) visit(i, j, 1);
    }
  });
  list.values = random_values(type, list.size(), seed, share.sums(list.size()).before);
  return list;
}

CoordinateList generate_stencil_2d(std::int64_t nx, std::int64_t ny, Type type, const GeneratorShare& share) {
  check_dimensions({nx, ny}, 2);
  const std::int64_t n = multiply_sizes(nx, ny, "the grid");
  return matrix_of(n, n, type, [&](auto visit) {
    for (std::int64_t i = share.first_of(n); i < share.end_of(n); ++i) {
      const std::int64_t x = i % nx, y = i / nx;
      if (y > 0) visit(i, i - nx, -1);
      if (x > 0) visit(i, i - 1, -1);
      visit(i, i, 4);
      if (x + 1 < nx) visit(i, i + 1, -1);
      if (y + 1 < ny) visit(i, i + nx, -1);
    }
  });
}

CoordinateList generate_stencil_3d(std::int64_t nx, std::int64_t ny, std::int64_t nz, Type type,
                                   const GeneratorShare& share) {
  check_dimensions({nx, ny, nz}, 3);
  const std::int64_t plane = multiply_sizes(nx, ny, "the grid");
  const std::int64_t n = multiply_sizes(plane, nz, "the grid");
  return matrix_of(n, n, type, [&](auto visit) {
    for (std::int64_t i = share.first_of(n); i < share.end_of(n); ++i) {
      const std::int64_t x = i % nx, y = i % plane / nx, z = i / plane;
      if (z > 0) visit(i, i - plane, -1);
      if (y > 0) visit(i, i - nx, -1);
      if (x > 0) visit(i, i - 1, -1);
      visit(i, i, 6);
      if (x + 1 < nx) visit(i, i + 1, -1);
      if (y + 1 < ny) visit(i, i + nx, -1);
      if (z + 1 < nz) visit(i, i + plane, -1);
    }
  });
}

Storage generate_dense(const std::vector<std::int64_t>& dimensions, std::uint64_t seed, Type type) {
  check_dimensions(dimensions, static_cast<int>(dimensions.size()));
  std::int64_t size = 1;
  for (const std::int64_t dimension : dimensions) size = multiply_sizes(size, dimension, "a dense tensor");
  return adopt_dense(dimensions, random_values(type, size, seed),
                     LevelMap::identity(static_cast<int>(dimensions.size())));
}

}  // namespace lacuna

#pragma once

#include <cstdint>
#include <functional>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate/random.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

// Seeded synthetic data; the same seed gives the same tensor on every machine. Values are uniform in (0, 1] of `type`
// (small integers for integer types) unless said. Coordinates are unique, and sorted by mode.

/// Of several who make one tensor together, one, who gets a stretch of its entries as they are sorted, about as many as
/// the others. Who is alone gets all.
struct GeneratorShare {
  int number = 0, count = 1;
  /// What each of them says, by number: all ask equally often. Not called where there is one.
  std::function<std::vector<std::int64_t>(std::int64_t)> gather = {};

  /// Of what each of them says, how much those before this one have, and all of them.
  struct Sums {
    std::int64_t before = 0, all = 0;
  };
  Sums sums(std::int64_t mine) const;
  /// Those of `all` things in a row that are this one's.
  std::int64_t first_of(std::int64_t all) const;
  std::int64_t end_of(std::int64_t all) const;
};

/// About `nonzeros` distinct edges of a power-law graph by R-MAT (a=0.57, b=c=0.19), dimension rounded up to fit.
CoordinateList generate_rmat(std::int64_t rows, std::int64_t columns, std::int64_t nonzeros, std::uint64_t seed,
                             Type type = Type::Float64, const GeneratorShare& share = {});
/// Every entry with |i-j| <= half_bandwidth.
CoordinateList generate_banded(std::int64_t rows, std::int64_t columns, std::int64_t half_bandwidth, std::uint64_t seed,
                               Type type = Type::Float64, const GeneratorShare& share = {});
/// The 5-point Laplacian of an nx × ny grid (4 on the diagonal, -1 beside).
CoordinateList generate_stencil_2d(std::int64_t nx, std::int64_t ny, Type type = Type::Float64,
                                   const GeneratorShare& share = {});
/// The 7-point Laplacian of an nx × ny × nz grid.
CoordinateList generate_stencil_3d(std::int64_t nx, std::int64_t ny, std::int64_t nz, Type type = Type::Float64,
                                   const GeneratorShare& share = {});
/// `nonzeros` distinct uniformly random coordinates of any order.
CoordinateList generate_uniform(const std::vector<std::int64_t>& dimensions, std::int64_t nonzeros, std::uint64_t seed,
                                Type type = Type::Float64, const GeneratorShare& share = {});
/// The same, with coordinates of every mode drawn from a power law (exponent `skew` > 0).
CoordinateList generate_skewed(const std::vector<std::int64_t>& dimensions, std::int64_t nonzeros, double skew,
                               std::uint64_t seed, Type type = Type::Float64, const GeneratorShare& share = {});
/// A dense tensor, row-major.
Storage generate_dense(const std::vector<std::int64_t>& dimensions, std::uint64_t seed, Type type = Type::Float64);

/// The values of generate_dense, row-major, some at a time and others left out.
class DenseValues {
 public:
  DenseValues(std::uint64_t seed, Type type);
  /// Those of `count` elements from `first` on, to `to`. In ascending order they take one pass: integers are drawn one
  /// after the other, and from the first one on where they are asked for again.
  void write(std::int64_t first, std::int64_t count, void* to);

 private:
  std::uint64_t seed_;
  Type type_;
  std::int64_t at_ = 0;
  Random random_;
};

}  // namespace lacuna

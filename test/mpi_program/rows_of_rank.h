#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lacuna/api/lacuna.h"

namespace lacuna {

/// Rows of a matrix as a program has them on a rank, with the usual arrays of int: row i of n has `scale` * (i + 1) on
/// the diagonal, and 1 right of it.
struct RowsOfRank {
  std::int64_t begin, end, n;
  std::vector<std::int32_t> pos = {0}, crd = {};
  std::vector<double> values = {};

  RowsOfRank(std::int64_t size, double scale, const Communicator& ranks)
      : begin(begin_of(ranks.rank(), size, ranks)), end(begin_of(ranks.rank() + 1, size, ranks)), n(size) {
    for (std::int64_t i = begin; i < end; ++i) {
      add(i, scale * static_cast<double>(i + 1));
      if (i + 1 < n) add(i + 1, 1);
      pos.push_back(static_cast<std::int32_t>(crd.size()));
    }
  }
  /// Blocks of different sizes: rank r of p has r + 1 shares.
  static std::int64_t begin_of(int rank, std::int64_t n, const Communicator& ranks) {
    const std::int64_t p = ranks.ranks(), r = rank;
    return n * (r * (r + 1) / 2) / (p * (p + 1) / 2);
  }
  static DistTarget blocks_of(const DistVar& x, std::int64_t n, const Communicator& ranks) {
    if (ranks.ranks() == 1) return x;
    std::vector<std::int64_t> begins;
    for (int r = 1; r < ranks.ranks(); ++r) begins.push_back(begin_of(r, n, ranks));
    return blocks(x, begins);
  }

  /// Compressed rows on as many processors as there are ranks, and vectors in the same blocks.
  PlacedFormat rows(const Communicator& ranks) const {
    const DistVar x, y;
    return {csr_format(), Distribution({x, y}, Machine{Grid(ranks.ranks())}, {blocks_of(x, n, ranks)})};
  }
  PlacedFormat blocked(const Communicator& ranks) const {
    const DistVar x;
    return {dense_format(1), Distribution({x}, Machine{Grid(ranks.ranks())}, {blocks_of(x, n, ranks)})};
  }
  Tensor<double> matrix(Communicator& ranks) const {
    return Tensor<double>::from_parts({n, n}, rows(ranks), ranks,
                                      {Tensor<double>::from_csr(end - begin, n, pos, crd, values)}, "A");
  }

 private:
  void add(std::int64_t j, double value) {
    crd.push_back(static_cast<std::int32_t>(j));
    values.push_back(value);
  }
};

}  // namespace lacuna

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::contest {

/// Blocks of consecutive rows, one a rank, that are about as much work: a row counts as its entries and one more.
/// Blocks of as many rows each would leave most of a power-law matrix to one rank.
class RowBlocks {
 public:
  RowBlocks(const Storage& csr, int ranks);

  /// Where the block of this rank begins in a dimension of this extent, and the one before it ends; `rank` may be one
  /// past the last.
  std::int64_t begin(int rank, std::int64_t extent) const;
  /// Where a tensor of so many modes (1 or 2) lies: "xy -> x[250,600]".
  std::string distribution(int order) const;

 private:
  std::vector<std::int64_t> begins_;  // by rank
};

}  // namespace lacuna::contest

#include "bench/distributed/row_blocks.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lacuna::contest {

RowBlocks::RowBlocks(const Storage& csr, int ranks) {
  const auto pos = csr.levels[1].pos.view<std::int32_t>();
  const std::int64_t rows = csr.dimensions[0], work = csr.stored() + rows;
  std::int64_t row = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t before = work / ranks * rank;
    while (row < rows && pos[static_cast<std::size_t>(row)] + row < before) ++row;
    begins_.push_back(row);
  }
}

std::int64_t RowBlocks::begin(int rank, std::int64_t extent) const {
  const auto r = static_cast<std::size_t>(rank);
  return r < begins_.size() ? std::min(begins_[r], extent) : extent;
}

std::string RowBlocks::distribution(int order) const {
  const std::string tensor = order == 1 ? "x" : "xy";
  if (begins_.size() == 1) return tensor + " -> x";
  return fmt::format("{} -> x[{}]", tensor, fmt::join(begins_.begin() + 1, begins_.end(), ","));
}

}  // namespace lacuna::contest

#pragma once

#include <algorithm>
#include <cstdint>

namespace lacuna::picture {

/// Which of `bins` equal parts of [0, size) a coordinate is in.
inline std::int64_t bin_of(std::int64_t coordinate, std::int64_t size, std::int64_t bins) {
  // Multiplied first: the first coordinate of a bin is exact.
  const double product = static_cast<double>(coordinate) * static_cast<double>(bins);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(product / static_cast<double>(size)), 0, bins - 1);
}

}  // namespace lacuna::picture

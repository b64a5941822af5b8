#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// How the entries are spread over the slices of one mode (rows, for mode 0 of a matrix).
struct SliceStatistics {
  std::int64_t slices = 0;
  std::int64_t empty = 0;
  std::int64_t smallest = 0;  // of all slices, empty ones too
  std::int64_t median = 0;
  std::int64_t p99 = 0;
  std::int64_t largest = 0;
  double mean = 0;
  /// buckets[k]: non-empty slices with 2^k … 2^(k+1)-1 entries.
  std::vector<std::int64_t> buckets;
};

/// Counts entries a slice of mode `mode`. Costs O(n log n) for n entries, whatever the dimension.
SliceStatistics distribution_of(const CoordinateList& entries, int mode);

/// "values", "pattern" or "no": whether a matrix equals its transpose. Rectangular ones do not.
std::string symmetry_of(const CoordinateList& entries);

}  // namespace lacuna::tool

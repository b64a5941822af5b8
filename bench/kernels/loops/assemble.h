#pragma once

#include <cstdint>

#include "bench/kernels/arrays.h"

namespace lacuna::contest {

/// A csr result in the making.
struct RowsInProgress {
  Array pos = {};
  Array crd = {};
  Array values = {};
};

/// Makes pos of counts: pos[i+1] holds row i's count before, and where row i ends after. Returns the total.
inline std::int64_t sum_counts(std::int32_t* pos, std::int64_t rows) {
  pos[0] = 0;
  for (std::int64_t i = 0; i < rows; ++i) pos[i + 1] += pos[i];
  return pos[rows];
}

/// Assembles a csr matrix by rows. `row(i, crd, values)` writes row i and returns how many entries it has; where crd is
/// null it only counts. One thread writes at once, into arrays of `most` entries; several threads count first.
template <typename Row>
RowsInProgress assemble_rows(std::int64_t rows, std::int64_t most, int threads, const Row& row) {
  RowsInProgress result;
  result.pos = int_array(rows + 1);
  std::int32_t* pos = ints(result.pos);
  if (threads == 1) {
    result.crd = int_array(most);
    result.values = double_array(most);
    pos[0] = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      pos[i + 1] = pos[i] + row(i, ints(result.crd) + pos[i], doubles(result.values) + pos[i]);
    }
    return result;
  }
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
  for (std::int64_t i = 0; i < rows; ++i) pos[i + 1] = row(i, nullptr, nullptr);
  const std::int64_t total = sum_counts(pos, rows);
  result.crd = int_array(total);
  result.values = double_array(total);
  std::int32_t* crd = ints(result.crd);
  double* values = doubles(result.values);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
  for (std::int64_t i = 0; i < rows; ++i) row(i, crd + pos[i], values + pos[i]);
  return result;
}

}  // namespace lacuna::contest

#include "lacuna/distribute/tensors/sample.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lacuna::sample_test {
namespace {

/// All entries of a matrix, column by column.
CoordinateList full_by_columns(std::int64_t rows, std::int64_t columns) {
  std::vector<std::int64_t> i, j;
  for (std::int64_t n = 0; n < rows * columns; ++n) {
    i.push_back(n % rows);
    j.push_back(n / rows);
  }
  return {{rows, columns},
          {Array::of<std::int64_t>(i), Array::of<std::int64_t>(j)},
          Array::allocate(Type::Float64, rows * columns, true)};
}

/// Entries in files and of programs are often in an order that repeats: here, of rows.
TEST(Sample, StandsForEntriesInAnOrderThatRepeats) {
  constexpr int stretches = 4;
  const auto alone_rank = alone();
  for (const std::int64_t rows : {250, 256, 1000}) {
    const CoordinateList entries = full_by_columns(rows, 4096);
    const auto bounds = bounds_by_sample({entries}, {0, 1}, stretches, *alone_rank);
    std::vector<std::int64_t> counts(stretches);
    for (std::int64_t e = 0; e < entries.size(); ++e) {
      const std::vector<std::int64_t> tuple = {entries.coordinates[0].integer(e), entries.coordinates[1].integer(e)};
      ++counts[static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end(), tuple) - bounds.begin())];
    }
    for (const std::int64_t count : counts) EXPECT_LT(count, entries.size() / stretches * 5 / 4) << rows << " rows";
  }
}

/// Nothing to sample, one entry, and more stretches than entries.
TEST(Sample, MayBeOfFewEntries) {
  const auto alone_rank = alone();
  const CoordinateList one = full_by_columns(1, 1);
  EXPECT_EQ(bounds_by_sample({}, {0, 1}, 1, *alone_rank).size(), 0);
  for (const auto& lists : {std::vector<CoordinateList>{}, std::vector<CoordinateList>{one}}) {
    const auto bounds = bounds_by_sample(lists, {0, 1}, 3, *alone_rank);
    EXPECT_EQ(bounds.size(), 2);
    for (const auto& bound : bounds) EXPECT_EQ(bound, (std::vector<std::int64_t>{0, 0}));
  }
}

}  // namespace
}  // namespace lacuna::sample_test

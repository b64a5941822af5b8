#include "tools/statistics.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/summary.h"

namespace lacuna::tool::statistics_test {
namespace {

using ::testing::ElementsAre;

CoordinateList matrix(std::int64_t rows, std::int64_t columns, const std::vector<std::int32_t>& row_of,
                      const std::vector<std::int32_t>& column_of, const std::vector<double>& values) {
  return {{rows, columns},
          {Array::of<std::int32_t>(row_of), Array::of<std::int32_t>(column_of)},
          Array::of<double>(values)};
}

TEST(StatisticsTest, CountsEntriesARow) {
  const CoordinateList entries = matrix(5, 4, {0, 0, 0, 2, 4, 4}, {0, 1, 3, 2, 0, 1}, {1, 1, 1, 1, 1, 1});

  const SliceStatistics d = distribution_of(entries, 0);

  EXPECT_EQ(d.slices, 5);
  EXPECT_EQ(d.empty, 2);
  EXPECT_EQ(d.smallest, 0);
  EXPECT_EQ(d.median, 1);
  EXPECT_EQ(d.largest, 3);
  EXPECT_DOUBLE_EQ(d.mean, 1.2);
  EXPECT_THAT(d.buckets, ElementsAre(1, 2));
}

TEST(StatisticsTest, CountsNothingInAnEmptyMatrix) {
  const CoordinateList entries = matrix(0, 4, {}, {}, {});

  EXPECT_EQ(distribution_of(entries, 0).slices, 0);
  EXPECT_EQ(distribution_of(entries, 1).empty, 4);
}

TEST(StatisticsTest, TellsSymmetryOfValuesFromThatOfThePattern) {
  EXPECT_EQ(symmetry_of(matrix(2, 2, {0, 1}, {1, 0}, {3, 3})), "values");
  EXPECT_EQ(symmetry_of(matrix(2, 2, {0, 1}, {1, 0}, {3, 4})), "pattern");
  EXPECT_EQ(symmetry_of(matrix(2, 2, {0, 1}, {1, 1}, {3, 3})), "no");
  EXPECT_EQ(symmetry_of(matrix(2, 3, {0, 1}, {1, 0}, {3, 3})), "no");
}

TEST(StatisticsTest, LooksAtHugeDimensionsForFree) {
  const std::int32_t last = std::numeric_limits<std::int32_t>::max() - 1;
  const CoordinateList entries = matrix(std::int64_t{last} + 1, std::int64_t{last} + 1, {last}, {last}, {1});

  EXPECT_EQ(symmetry_of(entries), "values");
  EXPECT_EQ(distribution_of(entries, 0).empty, last);
}

TEST(StatisticsTest, TakesTheMiddleOfAnEvenCount) {
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({}), 0);
}

}  // namespace
}  // namespace lacuna::tool::statistics_test

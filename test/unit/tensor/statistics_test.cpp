#include "lacuna/tensor/statistics.h"

#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "unit/tensor/samples.h"

namespace lacuna {
namespace {

TEST(Statistics, CountWhatEachLevelSpans) {
  const CoordinateList list = testing::list_of({3, 40}, {{{0, 1}, 1}, {{0, 30}, 2}, {{2, 0}, 3}});
  const Statistics csr = statistics_of(build(list, csr_format()));
  EXPECT_EQ(csr.stored, 3);
  EXPECT_EQ(csr.extents, (std::vector<std::int64_t>{3, 40}));
  EXPECT_EQ(csr.positions, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(statistics_of(build(list, dcsr_format())).positions, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(statistics_of(build(list, bitmap_format(2))).positions, (std::vector<std::int64_t>{3, 120}));
  EXPECT_EQ(statistics_of(build(list, bitmap_format(2))).stored, 3);
}

TEST(Statistics, FallIntoAClassForEachFactorOfSixteen) {
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(1), 1);
  EXPECT_EQ(size_class(15), 1);
  EXPECT_EQ(size_class(16), 2);
  EXPECT_EQ(size_class(255), 2);
  EXPECT_EQ(size_class(256), 3);
  EXPECT_EQ(size_class(std::int64_t{1} << 62), 16);
}

TEST(Statistics, HaveOneKeyForTensorsOfOneKind) {
  const Statistics a{1000, {300, 400}, {300, 1000}};
  const Statistics b{1100, {310, 500}, {310, 1100}};
  const Statistics c{100000, {300, 400}, {300, 100000}};
  EXPECT_EQ(statistics_key(a), "s3:3,3;3,3");
  EXPECT_EQ(statistics_key(a), statistics_key(b));
  EXPECT_NE(statistics_key(a), statistics_key(c));
}

}  // namespace
}  // namespace lacuna

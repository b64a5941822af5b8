#include "lacuna/tensor/reach.h"

#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::reach_test {
namespace {

std::int64_t reach_of_last(const CoordinateList& entries, const char* format) {
  const Storage t = build(entries, parse_format(format, static_cast<int>(entries.dimensions.size())));
  return reach_of(t.format.levels().back(), t.levels.back());
}

TEST(Reach, OfABandIsItsWidthAndThatOfTheNeighbours) {
  const std::int64_t reach = reach_of_last(generate_banded(1000, 1000, 10, 1), "csr");
  EXPECT_GE(reach, 17);  // the first and last rows have half of the band
  EXPECT_LE(reach, 21 + 7);
}

TEST(Reach, OfAMeshIsTheDistanceOfItsRows) {
  const std::int64_t reach = reach_of_last(generate_stencil_2d(100, 100), "csr");
  EXPECT_GE(reach, 190);
  EXPECT_LE(reach, 2 * 100 + 1 + 7);
}

TEST(Reach, OfScatteredEntriesIsNearlyTheExtent) {
  EXPECT_GE(reach_of_last(generate_uniform({1000, 5000}, 10'000, 1), "csr"), 4500);
  EXPECT_GE(reach_of_last(generate_uniform({1000, 5000}, 10'000, 1), "dcsr"), 4500);
}

TEST(Reach, OfOneParentIsThatOfItsCoordinates) {
  EXPECT_EQ(reach_of_last(generate_banded(1, 50, 4, 1), "csr"), 5);
  EXPECT_EQ(reach_of_last(generate_uniform({1}, 1, 1), "compressed"), 1);
}

TEST(Reach, IsNotKnownOfOtherLevelsAndOfEmptyOnes) {
  const CoordinateList some = generate_uniform({20, 20}, 50, 1);
  for (const char* format : {"dense", "coo", "bitmap", "hashed", "dense,compressed(unordered)"})
    EXPECT_EQ(reach_of_last(some, format), 0) << format;
  EXPECT_EQ(reach_of_last(generate_uniform({20, 20}, 0, 1), "csr"), 0);
  EXPECT_EQ(reach_of_last(generate_uniform({0, 20}, 0, 1), "csr"), 0);
}

}  // namespace
}  // namespace lacuna::reach_test

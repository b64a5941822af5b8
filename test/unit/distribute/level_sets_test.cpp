// Images and preimages, level kind by level kind, on the matrix of SpDISTAL's Figure 5.

#include "lacuna/distribute/sets/level_sets.h"

#include <gtest/gtest.h>

#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/tensor/build.h"
#include "unit/tensor/samples.h"

namespace lacuna::level_sets_test {
namespace {

const IndexSet everything = IndexSet::range(0, 4);

/// Rows 0: 1 3, 1: nothing, 2: 0 1 3.
Storage matrix(const std::string& format) {
  return build(testing::list_of({3, 4}, {{{0, 1}, 1}, {{0, 3}, 2}, {{2, 0}, 3}, {{2, 1}, 4}, {{2, 3}, 5}}),
               parse_format(format, 2));
}

TEST(LevelSets, RowsLeadToTheSegmentsOfACompressedLevel) {
  const Storage A = matrix("csr");
  EXPECT_EQ(children_of(A, 1, IndexSet::range(0, 1), everything), IndexSet::range(0, 2));
  EXPECT_EQ(children_of(A, 1, IndexSet::range(1, 3), everything), IndexSet::range(2, 5));
  EXPECT_EQ(children_of(A, 1, IndexSet::range(0, 3), IndexSet::range(1, 3)), IndexSet::of_coordinates({0, 3}));
  EXPECT_EQ(children_of(A, 1, IndexSet::range(0, 3), IndexSet::of_coordinates({0, 3})),
            IndexSet::of_coordinates({1, 2, 4}));
}

TEST(LevelSets, APositionBelongsToTheRowWhoseSegmentItIsIn) {
  const Storage A = matrix("csr");
  EXPECT_EQ(parents_of(A, 1, IndexSet::range(1, 3)), IndexSet::of_coordinates({0, 2}));
  EXPECT_EQ(parents_of(A, 1, IndexSet::range(2, 3)), IndexSet::range(2, 3));
  EXPECT_EQ(parents_of(A, 1, IndexSet()), IndexSet());
}

TEST(LevelSets, SpansOfDenseLevelsAreCutByCoordinates) {
  const Storage A = matrix("dense");
  EXPECT_EQ(children_of(A, 1, IndexSet::range(1, 3), everything), IndexSet::range(4, 12));
  EXPECT_EQ(children_of(A, 1, IndexSet::range(1, 3), IndexSet::range(2, 4)),
            IndexSet::of_intervals({{6, 8}, {10, 12}}));
  EXPECT_EQ(parents_of(A, 1, IndexSet::range(3, 5)), IndexSet::range(0, 2));
}

TEST(LevelSets, AbsentPlacesOfBitmapsAndTablesAreNoChildren) {
  EXPECT_EQ(children_of(matrix("d,b"), 1, IndexSet::range(0, 3), everything),
            IndexSet::of_coordinates({1, 3, 8, 9, 11}));
  const Storage hashed = matrix("d,h");
  EXPECT_EQ(children_of(hashed, 1, IndexSet::range(0, 3), everything).size(), 5);
  EXPECT_EQ(children_of(hashed, 1, IndexSet::range(0, 3), IndexSet::range(3, 4)).size(), 2);
  EXPECT_EQ(parents_of(hashed, 1, children_of(hashed, 1, IndexSet::range(2, 3), everything)), IndexSet::range(2, 3));
}

TEST(LevelSets, ASingletonHasThePositionsOfTheLevelAbove) {
  const Storage A = matrix("coo");
  EXPECT_EQ(children_of(A, 1, IndexSet::range(1, 4), everything), IndexSet::range(1, 4));
  EXPECT_EQ(children_of(A, 1, IndexSet::range(0, 5), IndexSet::range(3, 4)), IndexSet::of_coordinates({1, 4}));
  EXPECT_EQ(parents_of(A, 1, IndexSet::range(1, 4)), IndexSet::range(1, 4));
}

/// The memory that this takes is that of the positions, not of the mode.
TEST(LevelSets, CoordinatesOfAFewPositionsInALargeMode) {
  const std::int64_t n = std::int64_t{1} << 50U;
  for (const char* format : {"ss", "ss:1,0", "coo", "hashed,hashed"}) {
    const Storage A =
        build(testing::list_of({n, n}, {{{5, 7}, 1}, {{5, n - 1}, 1}, {{n - 1, 7}, 2}}), parse_format(format, 2));
    const std::vector<IndexSet> live = live_positions(A, whole_of(A.dimensions));
    const std::vector<int>& modes = A.format.map().modes();
    for (std::size_t level = 0; level < 2; ++level)
      EXPECT_EQ(coordinates_at(A, static_cast<int>(level), live[level]),
                IndexSet::of_coordinates({modes[level] == 0 ? 5 : 7, n - 1}))
          << format << level;
  }
}

TEST(LevelSets, ParentsWithoutAChildOfThePartAreNotLive) {
  const Storage A = matrix("dcsr");
  Restriction part = whole_of(A);
  part.coordinates[1] = IndexSet::range(0, 1);
  EXPECT_EQ(live_positions(A, part), (std::vector{IndexSet::range(1, 2), IndexSet::range(2, 3)}));
}

}  // namespace
}  // namespace lacuna::level_sets_test

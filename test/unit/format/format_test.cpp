#include "lacuna/format/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/format/names.h"
#include "lacuna/support/error.h"

namespace lacuna::format_test {
namespace {

using ::testing::HasSubstr;

const LevelFormat dense{LevelKind::Dense, true, true};
const LevelFormat compressed{LevelKind::Compressed, true, true};
const LevelFormat repeating{LevelKind::Compressed, true, false};
const LevelFormat singleton{LevelKind::Singleton, true, true};

std::string message_of(const std::vector<LevelFormat>& levels, LevelMap map) {
  try {
    const Format format(levels, map);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LevelFormat, EveryKindIsWalkedOrLocatedInto) {
  for (const LevelName& each : level_names()) {
    const LevelFormat level{each.kind};
    EXPECT_TRUE(level.walks() || level.locates()) << each.name;
    EXPECT_FALSE(level.has_gaps() && level.full()) << each.name;
    EXPECT_FALSE(level.has_gaps() && level.walks()) << each.name << ": a walk takes positions for entries";
  }
}

TEST(LevelMap, GivesTheLevelOfAModeAndBack) {
  const LevelMap map({2, 0, 1});
  for (int level = 0; level < 3; ++level) EXPECT_EQ(map.level_of(map.mode_of(level)), level);
  EXPECT_FALSE(map.is_identity());
  EXPECT_TRUE(LevelMap::identity(4).is_identity());
  EXPECT_TRUE(LevelMap().is_identity());
}

TEST(LevelMap, RefusesWhatIsNoPermutation) {
  EXPECT_THROW(LevelMap({0, 0}), Error);
  EXPECT_THROW(LevelMap({0, 2}), Error);
  EXPECT_THROW(LevelMap({-1, 0}), Error);
}

TEST(Format, RefusesLevelsThatCannotNest) {
  EXPECT_THAT(message_of({singleton, dense}, LevelMap::identity(2)), HasSubstr("the first level is a singleton"));
  EXPECT_THAT(message_of({repeating, dense}, LevelMap::identity(2)), HasSubstr("level 1 must be a singleton"));
  EXPECT_THAT(message_of({dense, {LevelKind::Dense, false, true}}, LevelMap::identity(2)), HasSubstr("always ordered"));
  EXPECT_THAT(message_of({{LevelKind::Bitmap, true, false}}, LevelMap::identity(1)), HasSubstr("always unique"));
  EXPECT_THAT(message_of({dense, dense}, LevelMap::identity(1)), HasSubstr("2 levels"));
}

TEST(Format, AcceptsARepeatingLastLevel) { EXPECT_EQ(validate_levels({dense, repeating}), ""); }

TEST(Format, KnowsThatAHashedLevelHasNoOrder) {
  const Format format({{LevelKind::Hashed, true, true}});
  EXPECT_FALSE(format.level(0).ordered);
  EXPECT_EQ(format, hashed_format(1));
}

TEST(Format, IsDenseOnlyWhereEveryLevelIs) {
  EXPECT_TRUE(dense_format(3).is_dense());
  EXPECT_TRUE(dense_format(0).is_dense());
  EXPECT_FALSE(csr_format().is_dense());
  EXPECT_FALSE(bitmap_format(1).is_dense());
}

TEST(Format, TellsTheCoordinateFamily) {
  for (int order = 1; order <= 5; ++order) EXPECT_TRUE(coo_format(order).is_coordinate()) << order;
  EXPECT_FALSE(coo_format(0).is_coordinate());
  EXPECT_FALSE(csf_format(2).is_coordinate());
  EXPECT_FALSE(Format({compressed, singleton}).is_coordinate());
  EXPECT_FALSE(Format({repeating, singleton, dense}).is_coordinate());
}

TEST(Format, CountsTheModesOfCoordinateFormatsInTheirLevels) {
  EXPECT_EQ(coo_format(1).levels(), std::vector<LevelFormat>{compressed});
  const LevelFormat middle{LevelKind::Singleton, true, false};
  EXPECT_EQ(coo_format(3).levels(), (std::vector<LevelFormat>{repeating, middle, singleton}));
}

TEST(Format, PrintsItsNameWhereItHasOne) {
  EXPECT_EQ(dense_format(0).to_string(), "dense");
  EXPECT_EQ(dense_format(3).to_string(), "dense");
  EXPECT_EQ(csr_format().to_string(), "csr");
  EXPECT_EQ(csc_format().to_string(), "csc");
  EXPECT_EQ(dcsr_format().to_string(), "dcsr");
  EXPECT_EQ(dcsc_format().to_string(), "dcsc");
  EXPECT_EQ(coo_format(3).to_string(), "coo");
  EXPECT_EQ(csf_format(3).to_string(), "csf");
  EXPECT_EQ(bitmap_format(2).to_string(), "bitmap");
  EXPECT_EQ(hashed_format(4).to_string(), "hashed");
  EXPECT_EQ(Format(dense_format(2).levels(), LevelMap({1, 0})).to_string(), "dense:1,0");
  EXPECT_EQ(Format({dense, repeating}).to_string(), "dense,compressed(nonunique)");
}

}  // namespace
}  // namespace lacuna::format_test

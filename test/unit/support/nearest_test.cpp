#include "lacuna/support/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace lacuna::nearest_test {
namespace {

constexpr std::array<std::string_view, 4> words = {"split", "reorder", "pos", "parallelize"};

std::string nearest(std::string_view written) { return std::string(nearest_word(written, words).value_or("none")); }

TEST(NearestWord, ForgivesAFewLetters) {
  EXPECT_EQ(nearest("splt"), "split");
  EXPECT_EQ(nearest("slpit"), "split");
  EXPECT_EQ(nearest("reorders"), "reorder");
  EXPECT_EQ(nearest("posn"), "pos");
  EXPECT_EQ(nearest("paralelise"), "parallelize");
}

TEST(NearestWord, DoesNotMindCapitals) { EXPECT_EQ(nearest("SPLITT"), "split"); }

TEST(NearestWord, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest("vectorise"), "none");
  EXPECT_EQ(nearest(""), "none");
  EXPECT_EQ(nearest(std::string(100000, 'p')), "none");
}

}  // namespace
}  // namespace lacuna::nearest_test

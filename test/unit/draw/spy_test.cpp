// Where entries are: each in the cell of its coordinates, under axes that say which these are.

#include <limits>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/draw/spy.h"

namespace lacuna::spy_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

CoordinateList list(std::vector<std::int64_t> dimensions, const std::vector<std::vector<std::int64_t>>& entries) {
  CoordinateList made;
  for (std::size_t mode = 0; mode < dimensions.size(); ++mode) {
    std::vector<std::int64_t> coordinates;
    for (const std::vector<std::int64_t>& entry : entries) coordinates.push_back(entry[mode]);
    made.coordinates.push_back(Array::of<std::int64_t>(coordinates));
  }
  made.values = Array::of<double>(std::vector<double>(entries.size(), 1.0));
  made.dimensions = std::move(dimensions);
  return made;
}

/// The strokes of all plots and shades.
std::vector<std::string> strokes(const std::string& svg) {
  const std::regex path("crispEdges\" d=\"([^\"]*)\"");
  std::vector<std::string> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), path), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

TEST(Spy, HasAStrokeForEachRunOfCells) {
  const std::string svg = spy(list({4, 6}, {{0, 0}, {2, 1}, {2, 2}, {2, 5}, {3, 5}}), "A");
  EXPECT_EQ(strokes(svg), std::vector<std::string>{"M0 0h1M1 2h2m2 0h1M5 3h1"});
}

TEST(Spy, ShowsEachCoordinateWhereThereIsRoom) {
  // A coordinate times the number of cells, divided by the size: 29 / 50 * 50 is less than 29 in floating point.
  for (const std::int64_t size : {1, 7, 49, 50, 300, 619, 620}) {
    std::vector<std::vector<std::int64_t>> diagonal;
    std::string expected;
    for (std::int64_t k = 0; k < size; ++k) {
      diagonal.push_back({k, k});
      expected += fmt::format("M{0} {0}h1", k);
    }
    EXPECT_EQ(strokes(spy(list({size, size}, diagonal), "A")), std::vector<std::string>{expected}) << size;
  }
}

TEST(Spy, JoinsCoordinatesWhereThereIsNone) {
  const std::string svg = spy(list({6200, 6200}, {{0, 0}, {0, 9}, {10, 0}, {6199, 6199}}), "A");
  EXPECT_EQ(strokes(svg), (std::vector<std::string>{"M0 1h1M619 619h1", "M0 0h1"}));
  EXPECT_THAT(svg, AllOf(HasSubstr("a cell is up to 10 coordinates wide"), HasSubstr("entries in a cell: 1"),
                         HasSubstr(">2<")));
}

TEST(Spy, OfHugeDimensionsIsQuick) {
  const std::int64_t last = std::numeric_limits<std::int32_t>::max() - 1;
  EXPECT_EQ(strokes(spy(list({last + 1, last + 1}, {{last, last}}), "corner")), std::vector<std::string>{"M619 619h1"});
}

TEST(Spy, HasAPlotForEachTwoModesInARow) {
  const std::string svg = spy(list({5, 6, 7}, {{1, 2, 3}}), "T");
  EXPECT_EQ(strokes(svg), (std::vector<std::string>{"M2 1h1", "M3 2h1", "M3 1h1"}));
  EXPECT_THAT(svg, AllOf(HasSubstr(">mode 0<"), HasSubstr(">mode 1<"), HasSubstr(">mode 2<"), Not(HasSubstr(">row<"))));
  EXPECT_EQ(strokes(spy(list({5, 6, 7, 8}, {{1, 2, 3, 4}}), "T")).size(), 4U);
}

TEST(Spy, OfAVectorIsALine) {
  EXPECT_EQ(strokes(spy(list({9}, {{0}, {1}, {8}}), "v")), std::vector<std::string>{"M0 0h2m6 0h1"});
}

TEST(Spy, OfNothingHasNoStrokes) {
  EXPECT_TRUE(strokes(spy(list({4, 4}, {}), "A")).empty());
  EXPECT_TRUE(strokes(spy(list({0, 0}, {}), "A")).empty());
}

TEST(Spy, EscapesAndWrapsTitles) {
  EXPECT_THAT(spy(list({1, 1}, {{0, 0}}), "<a&b>"), HasSubstr("&lt;a&amp;b&gt;"));
  EXPECT_THAT(spy(list({1, 1}, {{0, 0}}), "A " + std::string(150, 'x')), HasSubstr(">A</text>"));
}

}  // namespace
}  // namespace lacuna::spy_test

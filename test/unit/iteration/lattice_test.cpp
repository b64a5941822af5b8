#include "lacuna/iteration/lattice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lacuna::iteration::lattice_test {
namespace {

using concrete::Formula;
using testing::ElementsAre;
using testing::IsEmpty;

const Formula a = Formula::atom(0), b = Formula::atom(1), c = Formula::atom(2), d = Formula::atom(3);
constexpr std::uint64_t A = 1, B = 2, C = 4, D = 8;

std::string name(int cursor) { return std::string(1, static_cast<char>('a' + cursor)); }

TEST(Lattice, AnIntersectionIsOnePoint) {
  const Lattice l = make_lattice(a & b, A | B, true);
  EXPECT_THAT(l.points, ElementsAre(A | B));
  EXPECT_EQ(l.to_string(name), "{a b}");
}

TEST(Lattice, AUnionIsBothThenEach) {
  const Lattice l = make_lattice(a | b, A | B, true);
  EXPECT_THAT(l.points, ElementsAre(A | B, A, B));
  EXPECT_TRUE(l.enumerated);
  EXPECT_THAT(points_below(l, A | B), ElementsAre(A | B, A, B));
  EXPECT_THAT(points_below(l, A), ElementsAre(A));
}

TEST(Lattice, AProductBesideASumIsWalkedWithIt) {
  const Lattice l = make_lattice((a & b) | c, A | B | C, true);
  EXPECT_THAT(l.points, ElementsAre(A | B | C, A | B, C));
  EXPECT_EQ(l.to_string(name), "{a b c} > {a b} > {c}");
}

TEST(Lattice, AnAbsorbedTermAddsNoPoint) { EXPECT_THAT(make_lattice(a | (a & b), A | B, true).points, ElementsAre(A)); }

TEST(Lattice, CursorsThatDoNotDecideFollow) {
  const Lattice l = make_lattice(a | (a & b), A | B, true);
  EXPECT_EQ(l.deciding, A);
  EXPECT_EQ(l.following, B);
  EXPECT_EQ(l.to_string(name), "{a}, followed by {b}");
}

TEST(Lattice, WhereAllIsPresentEveryCoordinateMatters) {
  const Lattice l = make_lattice(a | Formula::always(), A, true);
  EXPECT_TRUE(l.full);
  EXPECT_THAT(l.points, IsEmpty());
  EXPECT_EQ(l.following, A);
  EXPECT_EQ(l.to_string(name), "every coordinate, followed by {a}");
}

TEST(Lattice, NothingIsNeverWalked) {
  const Lattice l = make_lattice(a & Formula::never(), A, true);
  EXPECT_FALSE(l.full);
  EXPECT_THAT(l.points, IsEmpty());
  EXPECT_EQ(l.to_string(name), "nothing, followed by {a}");
}

TEST(Lattice, AUnionOfThreeHasSevenPoints) {
  const Lattice l = make_lattice(a | b | c, A | B | C, true);
  EXPECT_TRUE(l.enumerated);
  EXPECT_THAT(l.points, ElementsAre(A | B | C, A | B, A | C, B | C, A, B, C));
}

TEST(Lattice, MoreThanSevenPointsAreOneLoop) {
  const Lattice l = make_lattice(a | b | c | d, A | B | C | D, true);
  EXPECT_FALSE(l.enumerated);
  EXPECT_THAT(l.points, IsEmpty());
  EXPECT_EQ(l.deciding, A | B | C | D);
  EXPECT_EQ(l.to_string(name), "any of {a}, {b}, {c}, {d}");
}

TEST(Lattice, ACursorReadTwiceIsEnumeratedOnlyWherePointsTellOfEveryCursor) {
  EXPECT_TRUE(make_lattice(a & b, A | B, false).enumerated);
  EXPECT_TRUE(make_lattice(a | b, A | B, false).enumerated);
  // At c, a may be there and b not.
  EXPECT_FALSE(make_lattice((a & b) | c, A | B | C, false).enumerated);
  EXPECT_TRUE(make_lattice((a & b) | c, A | B | C, true).enumerated);
}

TEST(Lattice, ACursorIsElsewhereWhenItsMatchWouldBeAnotherPoint) {
  const Lattice both = make_lattice(a | b, A | B, true);
  EXPECT_TRUE(known_absent(both, A, 1));
  const Lattice product = make_lattice((a & b) | c, A | B | C, true);
  EXPECT_FALSE(known_absent(product, C, 0));  // a alone makes no point, so it may be there
  EXPECT_TRUE(known_absent(product, A | B, 2));
}

}  // namespace
}  // namespace lacuna::iteration::lattice_test

#include "lacuna/format/distribution/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.h"

namespace lacuna::distribution_test {
namespace {

using ::testing::HasSubstr;

Distribution read(const std::string& text, const Machine& machine) {
  return parse_distribution(text, machine).distribution;
}

TEST(Distribution, IsWrittenInCppAsInSpDistalsFirstFigure) {
  const Machine M{Grid(4)};
  DistVar x, y;
  EXPECT_EQ(Distribution({x}, M, {x}), read("x -> x", M));
  EXPECT_EQ(Distribution({x}, M, {y}), read("x -> *", M));
  EXPECT_EQ(Distribution({x, y}, M, {x}), read("xy -> x", M));
  EXPECT_EQ(Distribution({x, y}, M, {y}), read("xy -> y", M));
  EXPECT_EQ(Distribution({x, y}, M, {~x}), read("xy -> ~x", M));
  EXPECT_EQ(Distribution({x, y}, M, {nonzeros({x, y})}), read("xy -> ~(xy)", M));
}

TEST(Distribution, NamesFacesCopiesAndBlocksInCpp) {
  const Machine M(Grid(2, 2, 3));
  DistVar x, y;
  EXPECT_EQ(Distribution({x, y}, M, {x, y, 0}), read("xy -> xy0", M));
  EXPECT_EQ(Distribution({x, y}, M, {x, y, broadcast()}), read("xy -> xy*", M));
  EXPECT_EQ(Distribution({x, y}, M, {cyclic(x, 64), 1, cyclic(y, 2)}), read("xy -> x%64 1 y%2", M));
  EXPECT_EQ(Distribution({x, y}, M, {blocks(y, {7}), 1, blocks(x, {5, 9})}), read("xy -> y[7] 1 x[ 5, 9 ]", M));
}

TEST(Distribution, HasAClauseForEachLevelOfTheMachine) {
  const Machine M(Grid(2, 2), Grid(2));
  DistVar x, y, z, w;
  EXPECT_EQ(Distribution({x, y}, M, {x, y}).then({z, w}, {z}), read("xy -> xy; zw -> z", M));
  EXPECT_EQ(Distribution({x, y}, M, {x, y}), read("xy -> xy; zw -> *", M));
}

TEST(Distribution, IsReadBackAsItIsPrinted) {
  const Machine M(Grid(4, 20, 3), Grid(2));
  for (const std::string text :
       {"xyz -> xyz", "xyz -> zx*", "ij -> ij0", "xy -> x12 0", "xy -> 3 x%64 y", "xy -> *~(xy)1", "abc -> *~ac",
        "xy -> x%2 y%3 *; zw -> ~(zw)", "xy -> x**; xy -> 1", "-> ***", "xyz -> x[0,2,2]yz[4,8]; xyz -> z[1]"}) {
    EXPECT_EQ(read(text, M).to_string(), text);
    EXPECT_EQ(read(read(text, M).to_string(), M), read(text, M));
  }
  EXPECT_EQ(read("x y->x  y 2", M).to_string(), "xy -> xy2");
}

TEST(Distribution, LettersDoNotMatterAndMeaningDoes) {
  const Machine M(Grid(4, 4));
  EXPECT_EQ(read("ab -> ba", M), read("xy -> yx", M));
  EXPECT_EQ(read("ab -> az", M), read("xy -> x*", M));
  EXPECT_FALSE(read("ab -> ba", M) == read("xy -> xy", M));
  EXPECT_FALSE(read("xy -> x%2 y", M) == read("xy -> x%3 y", M));
  EXPECT_FALSE(read("xy -> x[1,2,3]y", M) == read("xy -> x[1,2,4]y", M));
}

TEST(Distribution, NamesItsTensor) {
  const NamedDistribution named = parse_distribution(" B2 : xyz -> ~(xy)", Machine(Grid(4)));
  EXPECT_EQ(named.tensor, "B2");
  EXPECT_EQ(named.distribution.order(), 3);
  EXPECT_EQ(parse_distribution("x -> x", Machine(Grid(4))).tensor, "");
}

TEST(Distribution, ChecksNamesInCpp) {
  const Machine M(Grid(4, 4));
  DistVar x, y, z;
  EXPECT_THAT(message_of([&] { Distribution({x, x}, M, {x, y}); }), HasSubstr("x names two dimensions of the tensor"));
  EXPECT_THAT(message_of([&] {
                Distribution({x, y}, M, {x});
              }),
              HasSubstr("Grid(4,4) has 2 dimensions, but 1 is said"));
  EXPECT_THAT(message_of([&] { Distribution({x, y}, M, {x, 4}); }), HasSubstr("dimension 2 of Grid(4,4) has 0 to 3"));
  EXPECT_THAT(message_of([&] { Distribution({x, y}, M, {y, y}); }), HasSubstr("y names two dimensions of the machine"));
  EXPECT_THAT(message_of([&] { Distribution({x, y}, M, {~z, x}); }), HasSubstr("is no dimension of the tensor (xy)"));
  EXPECT_THAT(message_of([&] { Distribution({x}, M, {x, 0}).then({x}, {x}); }), HasSubstr("something is said of more"));
}

}  // namespace
}  // namespace lacuna::distribution_test

#include "tools/scaling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.h"

namespace lacuna::tool::scaling_test {
namespace {

/// Cannon's algorithm on one processor, to begin with.
StatementArguments product() {
  StatementArguments arguments;
  arguments.expression = "A(i,j) = B(i,k) * C(k,j)";
  arguments.sizes = {"i=32,j=32,k=32"};
  arguments.schedules = {
      "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos)",
      "communicate(A,jo), communicate({B,C},kos)"};
  arguments.machine = "Grid(1,1)";
  arguments.placed = {"A: xy -> xy", "B: xy -> xy", "C: xy -> xy"};
  return arguments;
}

TEST(Scaling, MachinesDoubleInEachDimension) {
  const Scaling scaling = simulate_scaling(product(), false, 100, {});
  std::vector<std::string> machines;
  for (const ScalingPoint& p : scaling.points) machines.push_back(p.machine);
  EXPECT_THAT(machines, testing::ElementsAre("Grid(1,1)", "Grid(2,2)", "Grid(4,4)", "Grid(8,8)"));
}

/// 2 g² (g−1) tiles of B and C (docs/explanation/communication.md).
TEST(Scaling, StrongScalingLeavesSizesAsTheyAre) {
  for (const ScalingPoint& p : simulate_scaling(product(), false, 64, {}).points) {
    const auto g = static_cast<std::int64_t>(std::lround(std::sqrt(p.processors)));
    EXPECT_EQ(p.sizes.at("i"), 32);
    EXPECT_EQ(p.messages, 2 * g * g * (g - 1));
    EXPECT_EQ(p.bytes, p.messages * (32 / g) * (32 / g) * 8);
    EXPECT_DOUBLE_EQ(p.turns, 32 * 32 * 32);
  }
}

TEST(Scaling, WeakScalingKeepsWhatAProcessorHolds) {
  const Scaling scaling = simulate_scaling(product(), true, 64, {});
  for (const ScalingPoint& p : scaling.points) {
    const auto g = static_cast<std::int64_t>(std::lround(std::sqrt(p.processors)));
    EXPECT_EQ(p.sizes.at("k"), 32 * g);
    EXPECT_EQ(p.memory, scaling.points.front().memory);
  }
}

/// The rows of a band of constant width: entries grow as they do.
TEST(Scaling, WeakScalingKeepsTheRowsOfABand) {
  StatementArguments band;
  band.expression = "y(i) = B(i,j) * x(j)";
  band.inputs = {"B=banded:band=2"};
  band.formats = {"B:csr"};
  band.sizes = {"i=400,j=400"};
  band.machine = "Grid(2)";
  band.placed = {"B: xy -> x", "x: x -> x", "y: x -> x"};
  const Scaling scaling = simulate_scaling(band, true, 16, {});
  ASSERT_EQ(scaling.points.size(), 4);
  for (const ScalingPoint& p : scaling.points) {
    EXPECT_EQ(p.sizes.at("i"), 200 * p.processors);
    EXPECT_EQ(p.messages, 2 * (p.processors - 1));  // two values of x from each neighbour
    EXPECT_EQ(p.bytes, p.messages * 2 * 8);
  }
}

/// Nothing of dense operands is read, whether or not -i says that they are dense.
TEST(Scaling, GrowsPastAnyMemory) {
  StatementArguments large = product();
  large.sizes = {"i=65536,j=65536,k=65536"};
  large.inputs = {"C=dense"};
  const Scaling scaling = simulate_scaling(large, true, 64, {});
  EXPECT_EQ(scaling.points.back().sizes.at("k"), std::int64_t{8} << 16);
  for (const ScalingPoint& p : scaling.points) EXPECT_GE(p.memory, std::int64_t{3} << 35);
}

TEST(Scaling, EfficiencyIsThatOfTheFirstOrLess) {
  const Scaling scaling = simulate_scaling(product(), false, 64, {});
  EXPECT_DOUBLE_EQ(scaling.efficiency(scaling.points.front()), 1);
  EXPECT_LT(scaling.efficiency(scaling.points.back()), 1);
}

TEST(Scaling, NeedsSomethingThatGrows) {
  StatementArguments fixed = product();
  fixed.inputs = {"B=rmat:32x32,nnz=10"};
  EXPECT_THAT(message_of([&] { simulate_scaling(fixed, true, 64, {}); }),
              testing::HasSubstr("weak scaling lets B grow"));
  fixed.machine.clear();
  fixed.placed.clear();
  EXPECT_THAT(message_of([&] { simulate_scaling(fixed, false, 64, {}); }), testing::HasSubstr("begins with a machine"));
}

}  // namespace
}  // namespace lacuna::tool::scaling_test

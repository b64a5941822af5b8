#include "lacuna/schedule/cost/likelihood.h"

#include <gtest/gtest.h>

#include "lacuna/schedule/cost/merge.h"

namespace lacuna::likelihood_test {
namespace {

using concrete::Formula;
using cost::Chance;
using cost::likelihood;

const Formula a = Formula::atom(0), b = Formula::atom(1), c = Formula::atom(2);

TEST(Likelihood, GroupsAreIndependent) {
  const std::vector<Chance> chances{{0, 0, 0.5}, {1, 0, 0.2}, {2, 0, 0.1}};
  EXPECT_DOUBLE_EQ(likelihood(a & b, chances), 0.1);
  EXPECT_DOUBLE_EQ(likelihood(a | b, chances), 0.6);
  EXPECT_DOUBLE_EQ(likelihood((a & b) | c, chances), 1 - 0.9 * 0.9);
  EXPECT_DOUBLE_EQ(likelihood(Formula::always(), chances), 1);
  EXPECT_DOUBLE_EQ(likelihood(Formula::never(), chances), 0);
}

TEST(Likelihood, RanksOfOneGroupAreNested) {
  const std::vector<Chance> chances{{0, 0, 0.5}, {0, 1, 0.2}, {1, 0, 0.3}};
  EXPECT_DOUBLE_EQ(likelihood(a & b, chances), 0.2);
  EXPECT_DOUBLE_EQ(likelihood(a | b, chances), 0.5);
  // Present where b holds, or where a and c do: 0.2 + (0.5 - 0.2) * 0.3.
  EXPECT_DOUBLE_EQ(likelihood(b | (a & c), chances), 0.29);
}

TEST(Likelihood, FormulasOverVeryManyGroupsAreBounded) {
  std::vector<Chance> chances;
  Formula any = Formula::never();
  for (int n = 0; n < 40; ++n) {
    chances.push_back({n, 0, 0.01});
    any = any | Formula::atom(n);
  }
  EXPECT_NEAR(likelihood(any, chances), cost::at_least_once(0.01, 40), 1e-9);
}

TEST(Likelihood, AtLeastOnceOfManyDraws) {
  EXPECT_DOUBLE_EQ(cost::at_least_once(0.5, 2), 0.75);
  EXPECT_DOUBLE_EQ(cost::at_least_once(1, 3), 1);
  EXPECT_DOUBLE_EQ(cost::at_least_once(0.3, 0), 0);
}

TEST(MergeWork, AUnionComesToEveryCoordinateOfEither) {
  const cost::MergeWork work = cost::merge_work(a | b, {50, 20}, 100);
  EXPECT_NEAR(work.trips, 100 * (1 - 0.5 * 0.8), 1e-6);
}

TEST(MergeWork, AnIntersectionEndsWithTheFirstOfThem) {
  EXPECT_NEAR(cost::merge_work(a & b, {1000, 1000}, 100000).trips, 1990, 20);
  // Two of a thousand: the walk through the thousand ends, on average, at the larger of two even draws, or a bit
  // before, where there is none.
  EXPECT_NEAR(cost::merge_work(a & b, {2, 1000}, 100000).trips, 568, 20);
}

TEST(MergeWork, FullOperandsAreRunThrough) { EXPECT_NEAR(cost::merge_work(a & b, {100, 100}, 100).trips, 100, 1e-6); }

}  // namespace
}  // namespace lacuna::likelihood_test

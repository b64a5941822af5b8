#include "lacuna/compile/engine/plan_cache.h"

#include <gtest/gtest.h>

namespace lacuna::plan_cache_test {
namespace {

CachedPlan some_plan() { return {nullptr, std::make_shared<const Plan>()}; }

TEST(PlanCache, KeepsThePlansUsedLast) {
  PlanCache cache(2);
  const CachedPlan a = some_plan();
  cache.insert("a", a);
  cache.insert("b", some_plan());
  EXPECT_EQ(cache.find("a").plan, a.plan);  // a is now younger than b
  cache.insert("c", some_plan());
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.find("b").plan, nullptr);
  EXPECT_EQ(cache.find("a").plan, a.plan);
  EXPECT_NE(cache.find("c").plan, nullptr);
}

TEST(PlanCache, KeepsTheFirstPlanOfAKey) {
  PlanCache cache;
  const CachedPlan first = some_plan();
  cache.insert("a", first);
  cache.insert("a", some_plan());
  EXPECT_EQ(cache.find("a").plan, first.plan);
  EXPECT_EQ(cache.size(), 1U);
}

}  // namespace
}  // namespace lacuna::plan_cache_test

#include <gtest/gtest.h>

#include "lacuna/support/processor.h"

namespace lacuna::caches_test {
namespace {

TEST(CacheSizes, AreThoseOfSomeMachine) {
  const CacheSizes& sizes = cache_sizes();
  EXPECT_GE(sizes[0], 4 << 10);
  EXPECT_GE(sizes[1], sizes[0]);
  EXPECT_GE(sizes[2], sizes[1]);
  EXPECT_EQ(&cache_sizes(), &sizes) << "asked for again and again";
}

}  // namespace
}  // namespace lacuna::caches_test

#include "lacuna/jit/blas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace lacuna {
namespace {

std::string core_type() {
  const char* value = std::getenv("OPENBLAS_CORETYPE");
  return value == nullptr ? "" : value;
}

TEST(Blas, MultipliesAndLeavesTheEnvironmentAsItIs) {
  const std::string before = core_type();
  const Blas* found = blas();
  EXPECT_EQ(core_type(), before);
  if (found == nullptr) GTEST_SKIP() << "there is no OpenBLAS here";
  EXPECT_THAT(found->name, testing::StartsWith("OpenBLAS "));
  const std::array<double, 6> a{1, 2, 3, 4, 5, 6}, b{1, 0, 2, 1, 0, 3};
  std::array<double, 4> c{};
  found->dgemm(101, 111, 111, 2, 2, 3, 1, a.data(), 3, b.data(), 2, 0, c.data(), 2);
  EXPECT_THAT(c, testing::ElementsAre(5, 11, 14, 23));
  EXPECT_EQ(blas(), found);
}

}  // namespace
}  // namespace lacuna

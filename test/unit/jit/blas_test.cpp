#include "lacuna/jit/blas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace lacuna::blas_test {
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

/// Kernels call it from all their threads: a build without locks would mix up their buffers.
TEST(Blas, MayBeCalledByThreadsAtOnce) {
  const Blas* found = blas();
  if (found == nullptr) GTEST_SKIP() << "there is no OpenBLAS here";
  constexpr int rows = 2000, n = 64, rounds = 200;
  std::array<int, 2> wrong{};
  std::barrier start(2);  // they get in each other's way when they begin at once
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&count, &start, found, mine = static_cast<double>(&count - wrong.data() + 1)] {
      const std::vector<double> a(rows * n, mine), b(n * n, 1);
      std::vector<double> c(rows * n);
      for (int round = 0; round < rounds; ++round) {
        start.arrive_and_wait();
        found->dgemm(101, 111, 111, rows, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n);
        if (std::any_of(c.begin(), c.end(), [&](double x) { return x != n * mine; })) ++count;
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_THAT(wrong, testing::Each(0));
}

}  // namespace
}  // namespace lacuna::blas_test

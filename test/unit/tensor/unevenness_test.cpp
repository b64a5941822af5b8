#include "lacuna/tensor/unevenness.h"

#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "lacuna/tensor/integers.h"

namespace lacuna::unevenness_test {
namespace {

double of_last(const CoordinateList& entries, const char* format) {
  const Storage t = build(entries, parse_format(format, static_cast<int>(entries.dimensions.size())));
  return unevenness_of(t.format.levels().back(), t.levels.back());
}

TEST(Unevenness, IsAboutOneWhereRowsAreAlike) {
  for (const CoordinateList& even : {generate_banded(1000, 1000, 10, 1), generate_stencil_2d(100, 100),
                                     generate_uniform({1000, 5000}, 10'000, 1), generate_uniform({9000, 9000}, 900, 1)})
    for (const char* format : {"csr", "dcsr"}) {
      EXPECT_GE(of_last(even, format), 0.5);
      EXPECT_LE(of_last(even, format), 2);
    }
}

TEST(Unevenness, IsLargeWhereSomeRowsHaveMost) {
  EXPECT_GE(of_last(generate_rmat(8192, 8192, 100'000, 1), "csr"), 3);
  EXPECT_GE(of_last(generate_skewed({5000, 5000}, 50'000, 1.2, 1), "csr"), 3);
}

TEST(Unevenness, FindsOneLongRow) {
  Storage t = build(generate_uniform({4000, 4000}, 20'000, 1), parse_format("csr", 2));
  LevelStorage& rows = t.levels.back();
  EXPECT_LE(unevenness_of(t.format.level(1), rows), 2);
  const IntegerReader pos(rows.pos);
  std::vector<std::int64_t> begins;
  for (std::int64_t p = 0; p <= 4000; ++p) begins.push_back(pos[p] + (p > 1234 ? 3000 : 0));
  rows.pos = Array::of<std::int64_t>(begins);
  EXPECT_GE(unevenness_of(t.format.level(1), rows), 3);
}

TEST(Unevenness, IsNotKnownOfOtherLevelsAndOfEmptyOnes) {
  const CoordinateList some = generate_uniform({20, 20}, 50, 1);
  for (const char* format : {"dense", "coo", "bitmap", "hashed"}) EXPECT_EQ(of_last(some, format), 0) << format;
  EXPECT_EQ(of_last(generate_uniform({20, 20}, 0, 1), "csr"), 0);
  EXPECT_EQ(of_last(generate_uniform({0, 20}, 0, 1), "csr"), 0);
}

}  // namespace
}  // namespace lacuna::unevenness_test

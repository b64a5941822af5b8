#include "lacuna/distribute/parts/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/support/block.h"
#include "lacuna/tensor/build.h"
#include "unit/tensor/samples.h"

namespace lacuna::partition_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Partition cut(const Storage& tensor, const std::string& text, const std::string& machine) {
  return partition(tensor, parse_distribution(text, parse_machine(machine)).distribution, "B");
}

std::vector<std::int64_t> entries_by_colour(const Partition& parts) {
  std::vector<std::int64_t> entries;
  for (std::int64_t c = 0; c < parts.colours(); ++c) entries.push_back(parts.size_of(c).entries);
  return entries;
}

std::string refusal(const Storage& tensor, const std::string& text, const std::string& machine) {
  try {
    cut(tensor, text, machine);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Block, AllButTheLastBlocksAreAsLong) {
  EXPECT_EQ(block(10, 4, 0), (Interval{0, 3}));
  EXPECT_EQ(block(10, 4, 3), (Interval{9, 10}));
  EXPECT_EQ(block(3, 5, 2), (Interval{2, 3}));
  EXPECT_EQ(block(3, 5, 4), (Interval{3, 3}));
  EXPECT_EQ(block(0, 3, 1), (Interval{0, 0}));
  EXPECT_EQ(block_of(10, 4, 9), 3);
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(block(huge + 1, huge, huge - 1), (Interval{huge + 1, huge + 1}));
}

TEST(Block, TheBlocksOfNAreCutAsDivideCuts) {
  for (std::int64_t n = 0; n < 40; ++n) {
    for (std::int64_t p = 1; p < 45; ++p) {
      std::int64_t next = 0;
      for (std::int64_t c = 0; c < p; ++c) {
        const Interval mine = block(n, p, c);
        ASSERT_EQ(mine.begin, next);
        ASSERT_EQ(mine.size(), std::min((n + p - 1) / p, n - next));
        for (std::int64_t i = mine.begin; i < mine.end; ++i) ASSERT_EQ(block_of(n, p, i), c);
        next = mine.end;
      }
      ASSERT_EQ(next, n);
    }
  }
}

TEST(Partition, CountsBalanceWhatRangesDoNot) {
  // Row r holds r entries: ranges of rows are uneven.
  std::vector<testing::Entry> entries;
  for (std::int64_t r = 0; r < 20; ++r) {
    for (std::int64_t c = 0; c < r; ++c) entries.push_back({{r, c}, 1});
  }
  const Storage B = build(testing::list_of({20, 20}, entries), csr_format());
  EXPECT_THAT(entries_by_colour(cut(B, "xy -> x", "Grid(4)")), ElementsAre(10, 35, 60, 85));
  EXPECT_THAT(entries_by_colour(cut(B, "xy -> ~(xy)", "Grid(4)")), ElementsAre(48, 48, 48, 46));
  EXPECT_LT(cut(B, "xy -> ~(xy)", "Grid(4)").imbalance(), 1.02);
  EXPECT_NEAR(cut(B, "xy -> x", "Grid(4)").imbalance(), 85 / 47.5, 1e-12);
}

TEST(Partition, EqualCountsDifferByLessThanOneFromTheMean) {
  const Storage B = build(testing::random_list({50, 40}, 700, 5), csr_format());
  for (std::int64_t p = 1; p <= 64; ++p) {
    const Partition parts = cut(B, "xy -> ~(xy)", fmt::format("Grid({})", p));
    for (const std::int64_t entries : entries_by_colour(parts)) ASSERT_LE(entries, (B.stored() + p - 1) / p);
  }
}

TEST(Partition, SlicesTubesAndValuesAreCounted) {
  // Two slices; the first has three tubes of one value, the second one tube of five.
  std::vector<testing::Entry> entries = {{{0, 0, 1}, 1}, {{0, 2, 2}, 1}, {{0, 3, 0}, 1}};
  for (std::int64_t z = 0; z < 5; ++z) entries.push_back({{4, 1, z}, 1});
  const Storage B = build(testing::list_of({6, 4, 5}, entries), csf_format(3));
  EXPECT_THAT(entries_by_colour(cut(B, "xyz -> ~x", "Grid(2)")), ElementsAre(3, 5));
  EXPECT_THAT(entries_by_colour(cut(B, "xyz -> ~(xy)", "Grid(2)")), ElementsAre(2, 6));
  EXPECT_THAT(entries_by_colour(cut(B, "xyz -> ~(xyz)", "Grid(2)")), ElementsAre(4, 4));
}

TEST(Partition, MoreProcessorsThanRowsLeaveSomeWithNothing) {
  const Storage B = build(testing::random_list({3, 3}, 9, 2), csr_format());
  const Partition parts = cut(B, "xy -> x", "Grid(5)");
  EXPECT_EQ(parts.colours(), 5);
  EXPECT_EQ(parts.size_of(4).entries, 0);
  EXPECT_NO_THROW(validate(parts.piece(4), "piece"));
}

TEST(Partition, CopiesAndFacesSayWhereColoursAre) {
  const Storage A = build(testing::random_list({4, 4}, 9, 2), dense_format(2));
  const Partition face = cut(A, "xy -> xy1", "Grid(2,2,2)");
  EXPECT_EQ(face.colours(), 4);
  EXPECT_THAT(face.processors_of(2), ElementsAre(5));
  EXPECT_EQ(face.colour_at(4), std::nullopt);
  EXPECT_EQ(face.colour_at(5), 2);
  const Partition copies = cut(A, "xy -> xy*", "Grid(2,2,2)");
  EXPECT_THAT(copies.processors_of(2), ElementsAre(4, 5));
  EXPECT_EQ(cut(A, "xy -> z", "Grid(3)").colours(), 1);
  EXPECT_THAT(cut(A, "xy -> z", "Grid(3)").processors_of(0), ElementsAre(0, 1, 2));
}

TEST(Partition, TilesOfAGridAreCutAgainWithinEachProcessor) {
  const Storage A = build(testing::random_list({8, 8}, 200, 2), dense_format(2));
  const Partition parts = cut(A, "xy -> xy; zw -> z", "Grid(2,2),Grid(2)");
  EXPECT_EQ(parts.colours(), 8);
  const Storage piece = parts.piece(5);  // tile (1,0), its lower half
  EXPECT_EQ(piece.levels[0].origin, 6);
  EXPECT_EQ(piece.levels[0].extent, 2);
  EXPECT_EQ(piece.levels[1].origin, 0);
  EXPECT_EQ(piece.levels[1].extent, 4);
}

TEST(Partition, IsRefusedWhereTheFormatDoesNotAllowIt) {
  const Storage csr = build(testing::random_list({4, 4}, 9, 2), csr_format());
  EXPECT_THAT(refusal(csr, "xyz -> x", "Grid(2)"), HasSubstr("it is for 3 dimensions, but the tensor has 2"));
  EXPECT_THAT(refusal(csr, "xy -> ~y", "Grid(2)"), HasSubstr("write ~(xy)"));
  EXPECT_THAT(refusal(csr, "xy -> ~(yx)", "Grid(2)"), HasSubstr("write ~(xy)"));
  EXPECT_EQ(refusal(build(testing::random_list({4, 4}, 9, 2), csc_format()), "xy -> ~(yx)", "Grid(2)"), "");
  const Storage permutation = build(testing::list_of({2, 2}, {{{0, 1}, 1}, {{1, 0}, 1}}), parse_format("d,q", 2));
  EXPECT_THAT(refusal(permutation, "xy -> y", "Grid(2)"),
              HasSubstr("B: distribution xy -> y: y is stored in a singleton"));
  EXPECT_EQ(refusal(permutation, "xy -> ~(xy)", "Grid(2)"), "");
  const Storage below = build(testing::list_of({2, 2, 2}, {{{0, 1, 0}, 1}, {{1, 0, 1}, 1}}),
                              parse_format("dense,singleton,compressed", 3));
  EXPECT_THAT(refusal(below, "xyz -> z", "Grid(2)"),
              HasSubstr("z is stored below a singleton level below a dense one"));
  EXPECT_EQ(refusal(below, "xyz -> x", "Grid(2)"), "");
  const CoordinateList diagonals = testing::list_of({2, 2, 2, 2}, {{{0, 1, 0, 0}, 1}, {{1, 0, 1, 1}, 1}});
  EXPECT_THAT(refusal(build(diagonals, parse_format("dense,singleton,dense,compressed", 4)), "xyzw -> z", "Grid(2)"),
              HasSubstr("z is stored below a singleton level below a dense one"));
  EXPECT_EQ(refusal(build(diagonals, parse_format("dense,singleton,compressed,dense", 4)), "xyzw -> w", "Grid(2)"), "");
}

}  // namespace
}  // namespace lacuna::partition_test

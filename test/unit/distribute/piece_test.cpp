// Pieces are views: what a piece shares with the whole, and what it has to make anew.

#include "lacuna/distribute/parts/piece.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/distribute/parts/partition.h"
#include "lacuna/tensor/build.h"
#include "unit/tensor/samples.h"

namespace lacuna::piece_test {
namespace {

/// The matrix of docs/reference/kernel-abi.md and test/unit/jit/slice_test.cpp: row 3 holds the positions 4 to 7.
Storage matrix() {
  std::vector<testing::Entry> entries;
  const std::int64_t crd[] = {0, 2, 4, 1, 0, 1, 3, 4, 2, 3}, row[] = {0, 0, 0, 2, 3, 3, 3, 3, 5, 5};
  for (std::size_t e = 0; e < 10; ++e) entries.push_back({{row[e], crd[e]}, static_cast<double>(e + 1)});
  return build(testing::list_of({6, 5}, entries), csr_format());
}

Partition cut(const Storage& tensor, const std::string& text, const std::string& machine) {
  return partition(tensor, parse_distribution(text, parse_machine(machine)).distribution);
}

bool lies_in(const Array& part, const Array& whole) {
  const auto* begin = static_cast<const unsigned char*>(whole.data());
  const auto* at = static_cast<const unsigned char*>(part.data());
  return begin <= at && at + part.bytes() <= begin + whole.bytes();
}

TEST(Piece, RowsOfAMatrixShareEverythingWithIt) {
  const Storage A = matrix();
  const Storage piece = cut(A, "xy -> x", "Grid(2)").piece(1);
  EXPECT_EQ(piece.levels[0].origin, 3);
  EXPECT_EQ(piece.levels[0].extent, 3);
  EXPECT_TRUE(lies_in(piece.levels[1].pos, A.levels[1].pos));
  EXPECT_TRUE(lies_in(piece.levels[1].crd, A.levels[1].crd));
  EXPECT_TRUE(lies_in(piece.values, A.values));
  EXPECT_EQ(piece.levels[1].pos.integer(0), 4);
  EXPECT_EQ(piece.values.base(), 4);
}

TEST(Piece, AnEqualShareOfTheEntriesClipsTheRowsAtItsEnds) {
  const Storage A = matrix();
  const Partition parts = cut(A, "xy -> ~(xy)", "Grid(5)");
  const Storage piece = parts.piece(2);  // positions 4 and 5, in row 3
  EXPECT_EQ(piece.levels[0].origin, 3);
  EXPECT_EQ(piece.levels[0].extent, 1);
  EXPECT_EQ(piece.levels[1].pos.size(), 2);
  EXPECT_EQ(piece.levels[1].pos.integer(0), 4);
  EXPECT_EQ(piece.levels[1].pos.integer(1), 6);
  EXPECT_TRUE(lies_in(piece.levels[1].crd, A.levels[1].crd));
  EXPECT_EQ(piece.levels[1].crd.base(), 4);
  EXPECT_TRUE(lies_in(piece.values, A.values));
}

TEST(Piece, ColumnsAreGatheredAndKeepTheirCoordinates) {
  const Storage A = matrix();
  const Storage piece = cut(A, "xy -> y", "Grid(2)").piece(1);
  EXPECT_FALSE(lies_in(piece.values, A.values));
  EXPECT_EQ(testing::entries_of(piece),
            (std::vector<testing::Entry>{{{0, 4}, 3}, {{3, 3}, 7}, {{3, 4}, 8}, {{5, 3}, 10}}));
  EXPECT_EQ(piece.levels[0].extent, 6);
}

TEST(Piece, PackedArraysAreItsOwnAndStartAtZero) {
  const Storage A = matrix();
  const Storage piece = cut(A, "xy -> ~(xy)", "Grid(5)").piece(2, PieceMemory::Packed);
  EXPECT_FALSE(lies_in(piece.levels[1].crd, A.levels[1].crd));
  for (const Array& array : {piece.levels[1].pos, piece.levels[1].crd, piece.values}) EXPECT_EQ(array.base(), 0);
  EXPECT_EQ(piece.bytes(), 2 * 4 + 2 * 4 + 2 * 8);
  EXPECT_EQ(testing::entries_of(piece), (std::vector<testing::Entry>{{{3, 0}, 5}, {{3, 1}, 6}}));
}

TEST(Piece, OfAPieceIsAPieceOfTheWhole) {
  const Storage A = matrix();
  const Partition outer = cut(A, "xy -> x", "Grid(2)");
  const Partition both = cut(A, "xy -> x; zw -> ~(zw)", "Grid(2),Grid(3)");
  for (std::int64_t c = 0; c < 2; ++c) {
    const Partition inner = cut(outer.piece(c), "zw -> ~(zw)", "Grid(3)");
    for (std::int64_t d = 0; d < 3; ++d) {
      EXPECT_EQ(testing::entries_of(inner.piece(d)), testing::entries_of(both.piece(3 * c + d)));
      const Array values = inner.piece(d).values;
      EXPECT_TRUE(values.empty() || lies_in(values, A.values));
    }
  }
}

TEST(Piece, ATableThatLosesAnEntryIsMadeAnew) {
  // As many coordinates as probe far.
  std::vector<testing::Entry> entries;
  for (std::int64_t c = 0; c < 100; c += 3) entries.push_back({{c}, static_cast<double>(c)});
  const Storage x = build(testing::list_of({100}, entries), hashed_format(1));
  const Partition parts = cut(x, "x -> x", "Grid(4)");
  for (std::int64_t c = 0; c < 4; ++c) {
    const Storage piece = parts.piece(c);
    EXPECT_NO_THROW(validate(piece, "piece"));
    EXPECT_LT(piece.levels[0].positions, x.levels[0].positions);
  }
  EXPECT_EQ(cut(x, "x -> x", "Grid(1)").piece(0).values.data(), x.values.data());
}

TEST(Piece, DenseBlocksDealtInTurnAreTiles) {
  const Storage A = build(testing::random_list({10, 4}, 60, 1), dense_format(2));
  const Partition parts = cut(A, "xy -> x%2", "Grid(2)");
  const std::vector<Storage> tiles = parts.tiles(1);
  ASSERT_EQ(tiles.size(), 2U);  // rows 2 3, 6 7
  EXPECT_EQ(tiles[0].levels[0].origin, 2);
  EXPECT_EQ(tiles[1].levels[0].origin, 6);
  EXPECT_TRUE(lies_in(tiles[1].values, A.values));
  EXPECT_EQ(parts.size_of(0).tiles, 3);
  try {
    parts.piece(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("piece 1 is 2 tiles"));
  }
}

}  // namespace
}  // namespace lacuna::piece_test

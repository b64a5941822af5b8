#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/io_testing.h"

namespace lacuna::coordinate_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CoordinateFile, GivesItsEntriesInOrderCountedFromZero) {
  const FileContents file =
      read_mtx("%%MatrixMarket matrix coordinate real general\n3 4 3\n3 4 1.5\n1 1 -2\n2 3 1e-3\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(2,3) 1.5", "(0,0) -2", "(1,2) 0.001"));
  EXPECT_THAT(file.entries.dimensions, ElementsAre(3, 4));
  EXPECT_EQ(file.entries.values.type(), Type::Float64);
  EXPECT_EQ(file.entries.coordinates[0].type(), Type::Int32);
  EXPECT_EQ(file.natural, csr_format());
  EXPECT_EQ(file.file_format, FileFormat::MatrixMarket);
  EXPECT_EQ(file.symmetry, "general");
  EXPECT_FALSE(file.array);
}

TEST(CoordinateFile, CommentsBlankLinesTabsAndCarriageReturnsDoNotMatter) {
  const FileContents file = read_mtx(
      "%%matrixmarket MATRIX Coordinate REAL General\r\n% one\r\n\r\n  % two\n \n 2\t2  2 \r\n% three\n\n  1 \t 2\t5 "
      "\r\n   \n"
      "%four\n2 1 6");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,1) 5", "(1,0) 6"));
}

TEST(CoordinateFile, IntegersStayIntegersAndPatternsBecomeOnes) {
  const FileContents integers =
      read_mtx("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -9007199254740993\n");
  EXPECT_EQ(integers.entries.values.type(), Type::Int64);
  EXPECT_THAT(entries_of(integers.entries), ElementsAre("(0,1) -9007199254740993"));
  const FileContents pattern = read_mtx("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2 \n");
  EXPECT_EQ(pattern.entries.values.type(), Type::Float64);
  EXPECT_THAT(entries_of(pattern.entries), ElementsAre("(0,1) 1", "(1,1) 1"));
}

TEST(CoordinateFile, ComplexValuesHaveTwoParts) {
  const FileContents file = read_mtx("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1.5 -2\n");
  EXPECT_EQ(file.entries.values.type(), Type::Complex128);
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,1) complex(1.5,-2)"));
}

TEST(CoordinateFile, SymmetricHalvesAreAdded) {
  const FileContents file = read_mtx("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n2 3 4\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(2,0) 2", "(0,2) 2", "(1,2) 4", "(2,1) 4"));
  EXPECT_EQ(file.symmetry, "symmetric");
}

TEST(CoordinateFile, SkewSymmetricMirrorsAreNegative) {
  const FileContents file =
      read_mtx("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 5\n1 1 0\n3 2 inf\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(1,0) 5", "(0,1) -5", "(0,0) 0", "(2,1) inf", "(1,2) -inf"));
}

TEST(CoordinateFile, HermitianMirrorsAreConjugate) {
  const FileContents file = read_mtx("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 2\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) complex(3,0)", "(1,0) complex(1,2)", "(0,1) complex(1,-2)"));
}

TEST(CoordinateFile, SymmetricPatternsAndIntegersAreExpandedToo) {
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n").entries),
              ElementsAre("(1,0) 1", "(0,1) 1"));
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n").entries),
              ElementsAre("(1,0) 7", "(0,1) -7"));
}

TEST(CoordinateFile, DuplicatesAreKept) {
  const FileContents file = read_mtx("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(0,0) 2"));
}

TEST(CoordinateFile, MatricesMayBeEmptyOrHaveNoRows) {
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix coordinate real general\n3 4 0\n").entries), IsEmpty());
  const FileContents file = read_mtx("%%MatrixMarket matrix coordinate real symmetric\n0 0 0");
  EXPECT_THAT(file.entries.dimensions, ElementsAre(0, 0));
  EXPECT_THAT(entries_of(file.entries), IsEmpty());
}

TEST(CoordinateFile, TensorsHaveAnyOrder) {
  const FileContents file = read_mtx("%%MatrixMarket tensor coordinate real general\n2 3 4 2\n2 3 4 1\n1 1 1 2\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(1,2,3) 1", "(0,0,0) 2"));
  EXPECT_EQ(file.natural, coo_format(3));
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket tensor coordinate real general\n5 1\n3 4\n").entries),
              ElementsAre("(2) 4"));
}

TEST(CoordinateFile, LargeDimensionsHaveWideCoordinates) {
  const FileContents file = read_mtx(
      "%%MatrixMarket matrix coordinate real general\n9223372036854775807 2147483647 2\n9223372036854775807 2147483647 "
      "1\n"
      "00000000000000000000001 +2 3\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(9223372036854775806,2147483646) 1", "(0,1) 3"));
  EXPECT_EQ(file.entries.coordinates[0].type(), Type::Int64);
  EXPECT_EQ(file.entries.coordinates[1].type(), Type::Int32);
}

TEST(CoordinateFile, AnotherElementTypeConverts) {
  ReadOptions options;
  options.type = Type::Int32;
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -2.0\n", options).entries),
              ElementsAre("(0,0) -2"));
  options.type = Type::Complex64;
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 4\n", options).entries),
              ElementsAre("(0,0) complex(4,0)"));
}

}  // namespace
}  // namespace lacuna::coordinate_file_test

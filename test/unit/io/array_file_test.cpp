#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/io_testing.h"

namespace lacuna::array_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ArrayFile, IsColumnMajorAndIsGivenRowMajor) {
  const FileContents file = read_mtx("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(0,1) 3", "(0,2) 5", "(1,0) 2", "(1,1) 4", "(1,2) 6"));
  EXPECT_TRUE(file.array);
  EXPECT_EQ(file.natural, dense_format(2));
}

TEST(ArrayFile, OfATensorHasTheFirstIndexFastest) {
  const FileContents file = read_mtx("%%MatrixMarket tensor array integer general\n2 2 2\n1\n2\n3\n4\n5\n6\n7\n8\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0,0) 1", "(0,0,1) 5", "(0,1,0) 3", "(0,1,1) 7", "(1,0,0) 2",
                                                    "(1,0,1) 6", "(1,1,0) 4", "(1,1,1) 8"));
}

TEST(ArrayFile, OfASymmetricMatrixHoldsTheLowerTriangle) {
  const FileContents file = read_mtx("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(0,1) 2", "(0,2) 3", "(1,0) 2", "(1,1) 4", "(1,2) 5",
                                                    "(2,0) 3", "(2,1) 5", "(2,2) 6"));
}

TEST(ArrayFile, OfASkewSymmetricMatrixLeavesTheDiagonalOut) {
  const FileContents file = read_mtx("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 0", "(0,1) -1", "(0,2) -2", "(1,0) 1", "(1,1) 0", "(1,2) -3",
                                                    "(2,0) 2", "(2,1) 3", "(2,2) 0"));
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").entries),
              ElementsAre("(0,0) 0"));
}

TEST(ArrayFile, OfAHermitianMatrixIsConjugatedAbove) {
  const FileContents file = read_mtx("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n");
  EXPECT_THAT(entries_of(file.entries),
              ElementsAre("(0,0) complex(1,0)", "(0,1) complex(2,-3)", "(1,0) complex(2,3)", "(1,1) complex(4,0)"));
}

TEST(ArrayFile, MayHaveNoValues) {
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix array real general\n0 9223372036854775807\n").entries),
              IsEmpty());
}

TEST(ArrayFile, MustHoldAsManyValuesAsItsSizesSay) {
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n"),
              HasSubstr("a.mtx:2: 4 entries are announced, but the file holds 3"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array real general\n1 2\n1\n2\n3\n"),
              HasSubstr("a.mtx:5: more entries than the 2 announced"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array real general\n1 2\n1 2\n"),
              HasSubstr("a.mtx:3: '2' after the end of the entry"));
}

TEST(ArrayFile, HugeSizesAreRefusedWithoutTakingMemory) {
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array real general\n4294967296 4294967296\n1\n"),
              HasSubstr("more values than 63 bits can count"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array real general\n2147483648 2147483648\n1\n"),
              HasSubstr("4611686018427387904 entries are announced"));
}

TEST(ArrayFile, ChecksTheDiagonalAndTheMirrors) {
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 5\n"),
              HasSubstr("a.mtx:5: the diagonal of a hermitian matrix is real"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array integer skew-symmetric\n%%GraphBLAS type int8_t\n2 2\n-128\n"),
              HasSubstr("a.mtx:4: the negative of this value"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix array pattern general\n2 2\n"), HasSubstr("cannot be pattern"));
}

}  // namespace
}  // namespace lacuna::array_file_test

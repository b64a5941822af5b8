// Matrix Market files as other programs write them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/io_testing.h"

namespace lacuna::matrix_market_dialects_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MatrixMarketDialects, UnsignedIntegersAreUint64) {
  const FileContents file = read_mtx(
      "%%MatrixMarket matrix coordinate unsigned-integer symmetric\n%\n2 2 2\n1 1 1\n2 2 18446744073709551615\n");
  EXPECT_EQ(file.entries.values.type(), Type::UInt64);
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(1,1) 18446744073709551615"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 -1\n"),
              HasSubstr("a.mtx:3: the value '-1' does not fit uint64"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate unsigned-integer skew-symmetric\n2 2 1\n2 1 1\n"),
              HasSubstr("negative values, which do not fit uint64"));
}

TEST(MatrixMarketDialects, UnsignedArraysAreUint64) {
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix array unsigned-integer general\n1 2\n3\n4\n").entries),
              ElementsAre("(0,0) 3", "(0,1) 4"));
}

TEST(MatrixMarketDialects, TheTypeHintWinsOverTheField) {
  const std::string text =
      "%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type float\n2 2 3\n1 1 -inf\n1 2 2.5\n2 2 nan\n";
  const FileContents file = read_mtx(text);
  EXPECT_EQ(file.entries.values.type(), Type::Float32);
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) -inf", "(0,1) 2.5", "(1,1) nan"));
  EXPECT_THAT(entries_of(read_mtx("%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type int8_t\n1 1 1\n"
                                  "1 1 3.0\n")
                             .entries),
              ElementsAre("(0,0) 3"));
}

TEST(MatrixMarketDialects, VectorsAreTensorsOfOrderOne) {
  const FileContents sparse = read_mtx("%%MatrixMarket vector coordinate real general\n4 2\n1 0.5\n3 -2\n");
  EXPECT_THAT(sparse.entries.dimensions, ElementsAre(4));
  EXPECT_THAT(entries_of(sparse.entries), ElementsAre("(0) 0.5", "(2) -2"));
  const FileContents dense = read_mtx("%%MatrixMarket vector array integer general\n2\n7\n8\n");
  EXPECT_THAT(entries_of(dense.entries), ElementsAre("(0) 7", "(1) 8"));
  EXPECT_TRUE(dense.array);
  EXPECT_THAT(mtx_refusal("%%MatrixMarket vector coordinate real general\n4 1 2\n"),
              HasSubstr("3 sizes: expected the size and the number of entries (2)"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket vector coordinate real symmetric\n4 0\n"),
              HasSubstr("a vector can be general only"));
}

TEST(MatrixMarketDialects, ABannerMayHaveOnePercentSign) {
  EXPECT_THAT(entries_of(read_mtx("%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n").entries),
              ElementsAre("(0,0) 2"));
  const TemporaryFolder folder;
  make_file(folder / "a.txt", "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n");
  EXPECT_THAT(entries_of(read_file(folder / "a.txt").entries), ElementsAre("(0,0) 2"));
}

}  // namespace
}  // namespace lacuna::matrix_market_dialects_test

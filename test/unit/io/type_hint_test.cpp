#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/io/matrix_market_header.h"
#include "unit/io/io_testing.h"

namespace lacuna::type_hint_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string hinted(const std::string& field, const std::string& type, const std::string& value) {
  return "%%MatrixMarket matrix coordinate " + field + " general\n%%GraphBLAS type " + type + "\n1 1 1\n1 1 " + value +
         "\n";
}

TEST(TypeHint, EveryTypeIsKnownByItsNames) {
  EXPECT_EQ(parse_graphblas_type("int8_t"), Type::Int8);
  EXPECT_EQ(parse_graphblas_type("GrB_UINT64"), Type::UInt64);
  EXPECT_EQ(parse_graphblas_type("fp32"), Type::Float32);
  EXPECT_EQ(parse_graphblas_type("double complex"), Type::Complex128);
  EXPECT_EQ(parse_graphblas_type("GxB_FC32"), Type::Complex64);
  EXPECT_EQ(parse_graphblas_type("gunk"), std::nullopt);
  for (int i = 0; i < type_count; ++i) {
    EXPECT_EQ(parse_graphblas_type(graphblas_type_name(static_cast<Type>(i))), static_cast<Type>(i));
  }
}

TEST(TypeHint, SetsTheElementType) {
  EXPECT_EQ(read_mtx(hinted("integer", "int8_t", "-128")).entries.values.type(), Type::Int8);
  EXPECT_EQ(read_mtx(hinted("real", "float", "0.1")).entries.values.type(), Type::Float32);
  EXPECT_EQ(read_mtx(hinted("complex", "float  complex", "1 2")).entries.values.type(), Type::Complex64);
  EXPECT_EQ(read_mtx(hinted("pattern", "uint16_t", "")).entries.values.type(), Type::UInt16);
  EXPECT_THAT(entries_of(read_mtx(hinted("integer", "uint64_t", "18446744073709551615")).entries),
              ElementsAre("(0,0) 18446744073709551615"));
  EXPECT_THAT(entries_of(read_mtx(hinted("pattern", "bool", "")).entries), ElementsAre("(0,0) true"));
  EXPECT_THAT(entries_of(read_mtx(hinted("integer", "double complex", "3")).entries),
              ElementsAre("(0,0) complex(3,0)"));
  EXPECT_THAT(entries_of(read_mtx(hinted("integer", "double", "12345678901234567890123")).entries),
              ElementsAre("(0,0) 1.2345678901234568e+22"));
}

TEST(TypeHint, RealValuesThatAreIntegersMayBecomeIntegers) {
  EXPECT_THAT(entries_of(read_mtx(hinted("real", "int16_t", "3e2")).entries), ElementsAre("(0,0) 300"));
  EXPECT_THAT(mtx_refusal(hinted("real", "int16_t", "2.5")), HasSubstr("'2.5' is not an integer"));
  EXPECT_THAT(mtx_refusal(hinted("real", "int16_t", "1e9")), HasSubstr("'1e9' does not fit int16"));
  EXPECT_THAT(mtx_refusal(hinted("real", "int16_t", "nan")), HasSubstr("'nan' is not an integer"));
  EXPECT_THAT(mtx_refusal(hinted("real", "uint64_t", "-1.0")), HasSubstr("does not fit uint64"));
}

TEST(TypeHint, ValuesThatDoNotFitAreRefused) {
  EXPECT_THAT(mtx_refusal(hinted("integer", "bool", "2")), HasSubstr("a.mtx:4: the value '2' does not fit bool"));
  EXPECT_THAT(mtx_refusal(hinted("integer", "int8_t", "-129")), HasSubstr("'-129' does not fit int8"));
  EXPECT_THAT(mtx_refusal(hinted("integer", "uint32_t", "-1")), HasSubstr("'-1' does not fit uint32"));
  EXPECT_THAT(mtx_refusal(hinted("real", "float", "1e39")), HasSubstr("'1e39' does not fit float32"));
}

TEST(TypeHint, ImpossibleTypesAreRefused) {
  EXPECT_THAT(mtx_refusal(hinted("real", "gunk", "1")),
              HasSubstr("a.mtx:2: 'gunk' is not an element type; known are bool"));
  EXPECT_THAT(mtx_refusal(hinted("real", "", "1")), HasSubstr("a.mtx:2: '' is not an element type"));
  EXPECT_THAT(mtx_refusal(hinted("complex", "double", "1 2")), HasSubstr("complex values cannot be of type float64"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate integer skew-symmetric\n%%GraphBLAS type uint8_t\n1 1 0\n"),
              HasSubstr("do not fit uint8"));
}

TEST(TypeHint, OtherGraphBlasCommentsAreComments) {
  EXPECT_THAT(
      entries_of(read_mtx("%%MatrixMarket matrix coordinate real general\n%%GraphBLAS iso\n1 1 1\n1 1 2\n").entries),
      ElementsAre("(0,0) 2"));
}

}  // namespace
}  // namespace lacuna::type_hint_test

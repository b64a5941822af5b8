// Files that are read as another type than theirs: what that type cannot hold is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/io_testing.h"
#include "unit/io/numpy_testing.h"

namespace lacuna::wanted_type_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReadOptions as(Type type) {
  ReadOptions options;
  options.type = type;
  options.type_option = "-t A:";
  return options;
}

std::string mtx(const std::string& field, const std::string& value) {
  return "%%MatrixMarket matrix coordinate " + field + " general\n2 2 2\n1 1 0\n2 1 " + value + "\n";
}

std::string complex_mtx(const std::string& value) {
  return "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 3 0\n2 1 " + value + "\n";
}

std::string refusal_as(Type type, const std::string& text) { return refusal(FileFormat::MatrixMarket, text, as(type)); }

TEST(WantedType, OfRealValuesRefusesImaginaryParts) {
  EXPECT_THAT(
      refusal_as(Type::Float64, complex_mtx("1 2")),
      HasSubstr("a.mtx: the value complex(1,2) at (2,1) has an imaginary part, which float64 cannot hold; give -t "
                "A:complex128"));
  EXPECT_THAT(refusal_as(Type::Int32, complex_mtx("1 nan")), HasSubstr("imaginary part"));
  EXPECT_THAT(entries_of(read_mtx(complex_mtx("1 0"), as(Type::Float64)).entries), ElementsAre("(0,0) 3", "(1,0) 1"));
  EXPECT_THAT(entries_of(read_mtx(complex_mtx("1 2"), as(Type::Complex64)).entries),
              ElementsAre("(0,0) complex(3,0)", "(1,0) complex(1,2)"));
}

TEST(WantedType, OfIntegersRefusesWhatIsNoneOrTooLarge) {
  EXPECT_THAT(refusal_as(Type::Int8, mtx("integer", "300")),
              HasSubstr("a.mtx:4: the value '300' does not fit int8; give -t A:int64"));
  EXPECT_THAT(refusal_as(Type::UInt8, mtx("integer", "-1")), HasSubstr("'-1' does not fit uint8; give -t A:int64"));
  EXPECT_THAT(refusal_as(Type::Int32, mtx("real", "2.5")), HasSubstr("'2.5' is not an integer; give -t A:float64"));
  EXPECT_THAT(refusal_as(Type::Int32, mtx("real", "1e10")), HasSubstr("'1e10' does not fit int32"));
  EXPECT_THAT(refusal_as(Type::Int32, mtx("real", "nan")), HasSubstr("is not an integer"));
  EXPECT_THAT(entries_of(read_mtx(mtx("real", "3e2"), as(Type::Int16)).entries), ElementsAre("(0,0) 0", "(1,0) 300"));
  EXPECT_THAT(refusal(FileFormat::Frostt, "1 1 300\n", as(Type::Int8)),
              HasSubstr("a.tns:1: the value '300' does not fit"));
  EXPECT_THAT(refusal(FileFormat::Npy, npy("<i4", "(2,)", bytes_of<std::int32_t>({1, 300})), as(Type::Int8)),
              HasSubstr("a.npy: the value 300 at (2) does not fit int8; give -t A:int32"));
}

TEST(WantedType, KeepsTheDigitsOfIntegers) {
  EXPECT_THAT(entries_of(read_tns("1 9007199254740993\n", as(Type::Int64)).entries),
              ElementsAre("(0) 9007199254740993"));
  EXPECT_THAT(entries_of(read_mtx(mtx("real", "18446744073709551615"), as(Type::UInt64)).entries),
              ElementsAre("(0,0) 0", "(1,0) 18446744073709551615"));
}

TEST(WantedType, OfFloatsRoundsDigitsButRefusesWhatWouldBeInfinite) {
  EXPECT_THAT(entries_of(read_mtx(mtx("real", "0.1"), as(Type::Float32)).entries), ElementsAre("(0,0) 0", "(1,0) 0.1"));
  EXPECT_THAT(refusal_as(Type::Float32, mtx("real", "1e300")), HasSubstr("'1e300' does not fit float32"));
  EXPECT_THAT(entries_of(read_mtx(mtx("real", "inf"), as(Type::Float32)).entries), ElementsAre("(0,0) 0", "(1,0) inf"));
}

TEST(WantedType, OfBoolSaysWhichValuesAreNotZero) {
  EXPECT_THAT(entries_of(read_mtx(mtx("real", "2.5"), as(Type::Bool)).entries),
              ElementsAre("(0,0) false", "(1,0) true"));
  EXPECT_THAT(entries_of(read_mtx(complex_mtx("0 2"), as(Type::Bool)).entries),
              ElementsAre("(0,0) true", "(1,0) true"));
}

TEST(WantedType, OfMirrorsHasToHoldTheirSigns) {
  const std::string skew = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n";
  EXPECT_THAT(refusal_as(Type::UInt8, skew), HasSubstr("-3 at (1,2) does not fit uint8"));
  EXPECT_THAT(entries_of(read_mtx(skew, as(Type::Int8)).entries), ElementsAre("(1,0) 3", "(0,1) -3"));
}

TEST(WantedType, WithoutAnOptionIsAskedForInWords) {
  ReadOptions options;
  options.type = Type::Float64;
  EXPECT_THAT(refusal(FileFormat::MatrixMarket, complex_mtx("1 2"), options), HasSubstr("; read it as complex128"));
}

}  // namespace
}  // namespace lacuna::wanted_type_test

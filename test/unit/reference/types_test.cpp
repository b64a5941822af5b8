#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "unit/reference/evaluate_text.h"

namespace lacuna::types_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> result(const std::string& text, const Operands& operands, Type type) {
  return lines(evaluate(text, operands, type));
}

TEST(ResultTypes, EachTermIsComputedInItsOwnType) {
  const Operands ints{{"n", scalar<std::int32_t>(7)}, {"d", scalar<double>(0.5)}};
  EXPECT_THAT(result("y = n / 2 + d", ints, Type::Float64), ElementsAre(": 3.5"));
  EXPECT_THAT(result("y = n / 2.0 + d", ints, Type::Float64), ElementsAre(": 4"));
}

TEST(ResultTypes, TheResultIsConvertedOnceAtTheEnd) {
  const Operands halves{{"a", dense<double>({0.5, 0.5, 0.5, 0.5})}};
  EXPECT_THAT(result("s = a(i)", halves, Type::Int32), ElementsAre(": 2"));
  EXPECT_THAT(result("y(i) = a(i) + a(i)", halves, Type::Int32), ElementsAre("0: 1", "1: 1", "2: 1", "3: 1"));
}

TEST(ResultTypes, SumsRunInAWiderResultsType) {
  // 2^24 + 1 is not a float.
  const Operands floats{{"a", dense<float>({16777216.0F, 1.0F, 1.0F})}};
  EXPECT_THAT(result("s = a(i)", floats, Type::Float32), ElementsAre(": 16777216"));
  EXPECT_THAT(result("s = a(i)", floats, Type::Float64), ElementsAre(": 16777218"));
  EXPECT_THAT(result("s = sum(i, a(i))", floats, Type::Float64), ElementsAre(": 16777218"));
  EXPECT_THAT(result("s = float64(a(i))", floats, Type::Float32), ElementsAre(": 16777218"));
  const Operands ints{{"n", dense<std::int32_t>({2147483647, 1, 2})}};
  EXPECT_THAT(result("s = n(i)", ints, Type::Int32), ElementsAre(": -2147483646"));
  EXPECT_THAT(result("s = n(i)", ints, Type::Int64), ElementsAre(": 2147483650"));
  EXPECT_THAT(result("s = sum(i, n(i))", ints, Type::Int64), ElementsAre(": 2147483650"));
}

TEST(ResultTypes, AnExplicitSumInsideATermRunsInThePromotedTypeOfItsBody) {
  const Operands bytes{{"a", dense<std::uint8_t>({200, 200})}, {"f", dense<float>({16777216.0F, 1.0F, 1.0F})}};
  EXPECT_THAT(result("s = sum(i, a(i)) + 0.5", bytes, Type::Float64), ElementsAre(": 400.5"));
  EXPECT_THAT(result("s = sum(i, f(i)) * 1.0", bytes, Type::Float64), ElementsAre(": 16777216"));
  EXPECT_THAT(result("s = sum(i, f(i)) + 0.5", bytes, Type::Float64), ElementsAre(": 16777218.5"));
}

TEST(ResultTypes, IntegersWrap) {
  const Operands big{{"n", scalar<std::int32_t>(std::numeric_limits<std::int32_t>::max())},
                     {"u", scalar<std::uint32_t>(1)}};
  EXPECT_THAT(result("y = n * 2", big, Type::Int64), ElementsAre(": -2"));
  EXPECT_THAT(result("y = n + 1", big, Type::Int32), ElementsAre(": -2147483648"));
  EXPECT_THAT(result("y = n + 1", big, Type::Int64), ElementsAre(": 2147483648"));
  EXPECT_THAT(result("y = 1 * -u", big, Type::Int64), ElementsAre(": 4294967295"));
  EXPECT_THAT(result("y = n", big, Type::Int8), ElementsAre(": -1"));
}

TEST(ResultTypes, SignsOfTermsApplyInTheComputeType) {
  const Operands mixed{{"u", scalar<std::uint32_t>(1)}, {"l", scalar<std::int64_t>(5)}};
  EXPECT_THAT(result("y = -u + l", mixed, Type::Int64), ElementsAre(": 4"));
  EXPECT_THAT(result("y = 1 * -u + l", mixed, Type::Int64), ElementsAre(": 4294967300"));
}

TEST(ResultTypes, IntegerDivisionByZeroGivesZero) {
  const Operands zero{{"n", scalar<std::int32_t>(7)}, {"z", scalar<std::int32_t>(0)}};
  EXPECT_THAT(result("y = n / z", zero, Type::Int32), ElementsAre(": 0"));
  EXPECT_THAT(result("y = mod(n, z)", zero, Type::Int32), ElementsAre(": 0"));
}

TEST(ResultTypes, FloatsSaturateWhenTheyBecomeIntegers) {
  const Operands floats{{"a", dense<double>({1e30, -1e30, std::numeric_limits<double>::quiet_NaN(), -2.9})}};
  EXPECT_THAT(result("y(i) = a(i)", floats, Type::Int16), ElementsAre("0: 32767", "1: -32768", "2: 0", "3: -2"));
  EXPECT_THAT(result("y(i) = uint8(a(i))", floats, Type::Int32), ElementsAre("0: 255", "1: 0", "2: 0", "3: 0"));
}

TEST(ResultTypes, BooleansAreIntegersInArithmeticAndTestsForZeroInResults) {
  const Operands bits{{"b", dense<bool>({true, true, false})}};
  EXPECT_THAT(result("s = b(i)", bits, Type::Int32), ElementsAre(": 2"));
  EXPECT_THAT(result("s = b(i)", bits, Type::Bool), ElementsAre(": true"));
  EXPECT_THAT(result("y(i) = b(i) - 1", bits, Type::Bool), ElementsAre("0: false", "1: false", "2: true"));
}

TEST(ResultTypes, ComplexNumbersConvertByTheirRealPart) {
  const Operands z{{"z", scalar<std::complex<double>>({3, 4})}};
  EXPECT_THAT(result("y = z * complex(0, 1)", z, Type::Complex128), ElementsAre(": complex(-4,3)"));
  EXPECT_THAT(result("y = z", z, Type::Float64), ElementsAre(": 3"));
  EXPECT_THAT(result("y = abs(z) + imag(z)", z, Type::Float32), ElementsAre(": 9"));
}

}  // namespace
}  // namespace lacuna::types_test

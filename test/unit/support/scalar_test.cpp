#include "lacuna/support/scalar.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace lacuna::scalar_test {
namespace {

constexpr auto int32_min = std::numeric_limits<std::int32_t>::min();
constexpr auto int64_min = std::numeric_limits<std::int64_t>::min();
constexpr auto int64_max = std::numeric_limits<std::int64_t>::max();
constexpr auto uint64_max = std::numeric_limits<std::uint64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Scalar, DefaultIsTheInt32Zero) {
  EXPECT_EQ(Scalar(), Scalar(0));
  EXPECT_EQ(Scalar().type(), Type::Int32);
}

TEST(Scalar, FloatToIntegerTruncates) {
  EXPECT_EQ(Scalar(2.9).as<std::int32_t>(), 2);
  EXPECT_EQ(Scalar(-2.9).as<std::int32_t>(), -2);
  EXPECT_EQ(Scalar(-0.9).as<std::uint8_t>(), 0);
}

TEST(Scalar, FloatToIntegerSaturates) {
  EXPECT_EQ(Scalar(1e300).as<std::int64_t>(), int64_max);
  EXPECT_EQ(Scalar(-infinity).as<std::int64_t>(), int64_min);
  EXPECT_EQ(Scalar(9223372036854775808.0).as<std::int64_t>(), int64_max);
  EXPECT_EQ(Scalar(9223372036854774784.0).as<std::int64_t>(), 9223372036854774784);
  EXPECT_EQ(Scalar(infinity).as<std::uint64_t>(), uint64_max);
  EXPECT_EQ(Scalar(-5.0).as<std::uint64_t>(), 0U);
  EXPECT_EQ(Scalar(300.0F).as<std::int8_t>(), 127);
  EXPECT_EQ(Scalar(-128.5).as<std::int8_t>(), -128);
  EXPECT_EQ(Scalar(nan).as<std::int32_t>(), 0);
}

TEST(Scalar, IntegerToIntegerWraps) {
  EXPECT_EQ(Scalar(300).as<std::int8_t>(), 44);
  EXPECT_EQ(Scalar(-1).as<std::uint64_t>(), uint64_max);
  EXPECT_EQ(Scalar(uint64_max).as<std::int32_t>(), -1);
  EXPECT_EQ(Scalar(uint64_max).as<double>(), 18446744073709551616.0);
}

TEST(Scalar, ToBoolIsNotEqualZero) {
  EXPECT_TRUE(Scalar(256).as<bool>());
  EXPECT_TRUE(Scalar(0.5).as<bool>());
  EXPECT_TRUE(Scalar(nan).as<bool>());
  EXPECT_TRUE(Scalar(std::complex<float>(0, 1)).as<bool>());
  EXPECT_FALSE(Scalar(-0.0).as<bool>());
}

TEST(Scalar, ComplexToRealTakesTheRealPart) {
  EXPECT_EQ(Scalar(std::complex<double>(1.5, 9)).as<float>(), 1.5F);
  EXPECT_EQ(Scalar(std::complex<double>(1e30, 9)).as<std::int8_t>(), 127);
}

TEST(Scalar, Float32ValuesAreRoundedToFloat) {
  EXPECT_EQ(Scalar(0.1).convert(Type::Float32), Scalar(0.1F));
  EXPECT_EQ(Scalar(0.1).convert(Type::Float32).as<double>(), static_cast<double>(0.1F));
  const Scalar sum = Scalar(1.0F) + Scalar(1e-8F);
  EXPECT_EQ(sum, Scalar(1.0F));
}

TEST(Scalar, LargeIntegersAreRoundedToFloatOnce) {
  const std::int64_t value = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  EXPECT_EQ(Scalar(value).as<float>(), static_cast<float>(value));
}

TEST(Scalar, IntegersWrap) {
  EXPECT_EQ(Scalar(int32_min) - Scalar(1), Scalar(std::numeric_limits<std::int32_t>::max()));
  EXPECT_EQ(Scalar(int64_max) + Scalar(1), Scalar(int64_min));
  EXPECT_EQ(Scalar(int64_max) * Scalar(2), Scalar(std::int64_t{-2}));
  EXPECT_EQ(Scalar(0U) - Scalar(1U), Scalar(std::numeric_limits<std::uint32_t>::max()));
  EXPECT_EQ(-Scalar(int32_min), Scalar(int32_min));
}

TEST(Scalar, IntegerDivisionNeverTraps) {
  EXPECT_EQ(Scalar(7) / Scalar(0), Scalar(0));
  EXPECT_EQ(Scalar(7U) / Scalar(0U), Scalar(0U));
  EXPECT_EQ(Scalar(int32_min) / Scalar(-1), Scalar(int32_min));
  EXPECT_EQ(Scalar(int64_min) / Scalar(-1), Scalar(int64_min));
  EXPECT_EQ(Scalar(-7) / Scalar(2), Scalar(-3));
}

TEST(Scalar, FloatDivisionIsIeee) {
  EXPECT_EQ(Scalar(1.0) / Scalar(0), Scalar(infinity));
  EXPECT_EQ(Scalar(0.0) / Scalar(0), Scalar(nan));
}

TEST(Scalar, SmallOperandsArePromotedFirst) {
  EXPECT_EQ(Scalar(std::int8_t{100}) + Scalar(std::int8_t{100}), Scalar(200));
  EXPECT_EQ(Scalar(true) + Scalar(true), Scalar(2));
  EXPECT_EQ((-Scalar(std::uint8_t{1})), Scalar(-1));
  EXPECT_EQ(Scalar(-1) + Scalar(0U), Scalar(std::numeric_limits<std::uint32_t>::max()));
}

TEST(Scalar, ComplexProductIsWrittenOut) {
  const Scalar product = Scalar(std::complex<double>(1, 2)) * Scalar(std::complex<double>(3, 4));
  EXPECT_EQ(product, Scalar(std::complex<double>(-5, 10)));
  EXPECT_EQ(Scalar(std::complex<double>(1, 2)) * Scalar(3), Scalar(std::complex<double>(3, 6)));
  const Scalar infinite = Scalar(std::complex<double>(infinity, 0)) * Scalar(std::complex<double>(infinity, 0));
  EXPECT_TRUE(std::isnan(infinite.as<std::complex<double>>().imag()));
}

TEST(Scalar, ComplexQuotientInvertsTheProduct) {
  const Scalar a(std::complex<double>(-5, 10));
  EXPECT_EQ(a / Scalar(std::complex<double>(3, 4)), Scalar(std::complex<double>(1, 2)));
}

TEST(Scalar, NegationKeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit((-Scalar(0.0)).as<double>()));
  EXPECT_FALSE(std::signbit((-Scalar(-0.0F)).as<float>()));
}

TEST(Scalar, EqualityComparesTypeAndValue) {
  EXPECT_EQ(Scalar(nan), Scalar(-nan));
  EXPECT_EQ(Scalar(0.0), Scalar(-0.0));
  EXPECT_FALSE(Scalar(1) == Scalar(1.0));
  EXPECT_FALSE(Scalar(std::complex<float>(1, 2)) == Scalar(std::complex<float>(1, 3)));
}

TEST(Scalar, ZeroIsZeroInEveryType) {
  for (int i = 0; i < type_count; ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_TRUE(Scalar::zero(type).is_zero());
    EXPECT_EQ(Scalar::zero(type).type(), type);
    EXPECT_FALSE(Scalar(1).convert(type).is_zero());
  }
  EXPECT_FALSE(Scalar(nan).is_zero());
}

TEST(Scalar, TextIsTheShortestThatReadsBack) {
  EXPECT_EQ(Scalar(1).to_string(), "1");
  EXPECT_EQ(Scalar(0.5).to_string(), "0.5");
  EXPECT_EQ(Scalar(0.1F).to_string(), "0.1");
  EXPECT_EQ(Scalar(uint64_max).to_string(), "18446744073709551615");
  EXPECT_EQ(Scalar(std::int8_t{-65}).to_string(), "-65");
  EXPECT_EQ(Scalar(std::uint8_t{65}).to_string(), "65");
  EXPECT_EQ(Scalar(-nan).to_string(), "nan");
  EXPECT_EQ(Scalar(-infinity).to_string(), "-inf");
  EXPECT_EQ(Scalar(std::complex<double>(1, 2)).to_string(), "complex(1,2)");
  EXPECT_EQ(Scalar(true).to_string(), "true");
}

TEST(Scalar, LoadReadsWhatStoreWrote) {
  for (int i = 0; i < type_count; ++i) {
    const Scalar value = Scalar(std::complex<double>(3, 4)).convert(static_cast<Type>(i));
    std::array<unsigned char, 17> bytes{};
    bytes[static_cast<std::size_t>(size_of(value.type()))] = 0xAB;
    value.store(bytes.data());
    EXPECT_EQ(Scalar::load(value.type(), bytes.data()), value);
    EXPECT_EQ(bytes[static_cast<std::size_t>(size_of(value.type()))], 0xAB) << "store wrote past the element";
  }
}

TEST(Scalar, LoadingABoolAcceptsAnyByte) {
  const unsigned char two = 2;
  EXPECT_EQ(Scalar::load(Type::Bool, &two), Scalar(true));
}

}  // namespace
}  // namespace lacuna::scalar_test

#include "lacuna/io/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

namespace lacuna::numbers_test {
namespace {

template <typename T>
std::string integer_of(std::string_view word) {
  T value{};
  const NumberFault fault = read_integer(word, value);
  return fault == NumberFault::None ? fmt::format("{}", value) : describe_fault(fault, "it");
}

std::string real_of(std::string_view word) {
  double value = 0;
  const NumberFault fault = read_real(word, value);
  return fault == NumberFault::None ? fmt::format("{}", value) : describe_fault(fault, "it");
}

TEST(Numbers, IntegersReachTheLimitsOfTheirTypeAndNoFurther) {
  EXPECT_EQ(integer_of<std::int8_t>("-128"), "-128");
  EXPECT_EQ(integer_of<std::int8_t>("127"), "127");
  EXPECT_EQ(integer_of<std::int8_t>("128"), "does not fit it");
  EXPECT_EQ(integer_of<std::int8_t>("-129"), "does not fit it");
  EXPECT_EQ(integer_of<std::int64_t>("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(integer_of<std::int64_t>("9223372036854775808"), "does not fit it");
  EXPECT_EQ(integer_of<std::uint64_t>("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(integer_of<std::uint64_t>("18446744073709551616"), "does not fit it");
  EXPECT_EQ(integer_of<std::uint8_t>("-1"), "does not fit it");
  EXPECT_EQ(integer_of<std::uint8_t>("-0"), "0");
  EXPECT_EQ(integer_of<bool>("1"), "true");
  EXPECT_EQ(integer_of<bool>("2"), "does not fit it");
}

TEST(Numbers, LeadingZerosAndASignAreAllowedInIntegers) {
  EXPECT_EQ(integer_of<std::int32_t>("+000000000000000000000000000007"), "7");
}

TEST(Numbers, OtherWordsAreNoIntegers) {
  for (const char* word : {"", "+", "-", "--1", "x", "1x", "0x10", "1,2"})
    EXPECT_EQ(integer_of<int>(word), "is not a number") << word;
  for (const char* word : {"1.0", "1e3", "nan", "inf", ".5"})
    EXPECT_EQ(integer_of<int>(word), "is not an integer") << word;
}

TEST(Numbers, RealsTakeEveryUsualSpelling) {
  EXPECT_EQ(real_of("1"), "1");
  EXPECT_EQ(real_of("+.5"), "0.5");
  EXPECT_EQ(real_of("-5."), "-5");
  EXPECT_EQ(real_of("1.5D+03"), "1500");
  EXPECT_EQ(real_of("1d-1"), "0.1");
  EXPECT_EQ(real_of("-Infinity"), "-inf");
  EXPECT_EQ(real_of("+inf"), "inf");
  EXPECT_EQ(real_of("NaN"), "nan");
  EXPECT_EQ(real_of("-0"), "-0");
  EXPECT_EQ(real_of("4.9e-324"), "5e-324");
  EXPECT_EQ(real_of("1e-999"), "0");
}

TEST(Numbers, OtherWordsAreNoReals) {
  for (const char* word : {"", "+", ".", "+-1", "++1", "1.2.3", "e5", "1e+", "0x1p3", "12abc", "infx"}) {
    EXPECT_EQ(real_of(word), "is not a number") << word;
  }
  EXPECT_EQ(real_of("1e999"), "does not fit it");
}

TEST(Numbers, TheFastScanAgreesWithTheCarefulOneWhereItAccepts) {
  int accepted = 0;
  for (const char* word : {"0",
                           "1",
                           "-1",
                           "127",
                           "128",
                           "-128",
                           "-129",
                           "255",
                           "1.5",
                           "-0.25",
                           "1e5",
                           "1e400",
                           "nan",
                           "inf",
                           "+1",
                           "",
                           "-",
                           "x",
                           "00012",
                           "999999999999999999",
                           "1234567890123456789",
                           "2e",
                           "1.",
                           ".1",
                           "-.1"}) {
    const std::string line = std::string(word) + "\n";
    const auto check = [&](auto value) {
      auto careful = value;
      const char* p = line.data();
      if (!scan_number(p, line.data() + line.size(), value) || *p != '\n') return;
      ++accepted;
      NumberFault fault = NumberFault::None;
      if constexpr (std::is_floating_point_v<decltype(value)>) fault = read_real(word, careful);
      else fault = read_integer(word, careful);
      EXPECT_EQ(fault, NumberFault::None) << word;
      EXPECT_EQ(value, careful) << word;
    };
    check(double{});
    check(float{});
    check(std::int8_t{});
    check(std::uint8_t{});
    check(std::int64_t{});
    check(std::uint64_t{});
    check(bool{});
  }
  EXPECT_GT(accepted, 40);
}

}  // namespace
}  // namespace lacuna::numbers_test

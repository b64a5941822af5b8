// Values that a user wrote: of tensors without indices, and of updates.

#include "tools/value_text.h"

#include <complex>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace lacuna::tool::value_text_test {
namespace {

using Complex = std::complex<double>;

/// What the word says, of the type; the fault where there is one.
std::string shown(std::string_view word, std::optional<Type> type = std::nullopt) {
  const ParsedValue parsed = parse_value(word, type);
  EXPECT_EQ(parsed.value.has_value(), parsed.fault.empty());
  return parsed.value ? std::string(type_name(parsed.value->type())) + " " + parsed.value->to_string() : parsed.fault;
}

template <typename T>
T value_of(std::string_view word) {
  return parse_value(word, type_of<T>()).value.value().template as<T>();
}

TEST(ValueText, IsOfTheTypeThatItLooksLikeWhereNoneIsSaid) {
  EXPECT_EQ(parse_value("3").value->type(), Type::Float64);
  EXPECT_EQ(parse_value("2.5").value->type(), Type::Float64);
  EXPECT_EQ(parse_value("true").value->type(), Type::Bool);
  EXPECT_EQ(parse_value("1-2i").value->type(), Type::Complex128);
}

TEST(ValueText, ReadsEveryWayOfWritingForEveryType) {
  EXPECT_EQ(value_of<double>("+2.5"), 2.5);
  EXPECT_EQ(value_of<double>("1d3"), 1000);
  EXPECT_EQ(value_of<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(value_of<double>("true"), 1);
  EXPECT_EQ(value_of<double>("complex(2,0)"), 2);
  EXPECT_EQ(value_of<Complex>("complex(1,-2)"), Complex(1, -2));
  EXPECT_EQ(value_of<Complex>("1e1-2e-1j"), Complex(10, -0.2));
  EXPECT_EQ(value_of<Complex>("3"), Complex(3, 0));
  EXPECT_EQ(value_of<std::int8_t>("3e1"), 30);
  EXPECT_EQ(value_of<std::int8_t>("-3.0"), -3);
  EXPECT_EQ(value_of<bool>("0.0"), false);
  EXPECT_EQ(value_of<bool>("2"), true);
}

TEST(ValueText, KeepsEveryDigitThatTheTypeHas) {
  EXPECT_EQ(value_of<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value_of<std::int64_t>("9007199254740993"), 9007199254740993);
  // Just above the middle between two floats: as a double it is the middle, and would be rounded to the even one.
  EXPECT_EQ(value_of<float>("1.000000059604644775390625000001"), 1.00000011920928955078125F);
}

TEST(ValueText, SaysWhatATypeCannotHold) {
  EXPECT_EQ(shown("300", Type::Int8), "does not fit int8");
  EXPECT_EQ(shown("-1", Type::UInt64), "does not fit uint64");
  EXPECT_EQ(shown("2.5", Type::Int32), "is not an integer");
  EXPECT_EQ(shown("1-2i", Type::Float64), "has an imaginary part, which float64 cannot hold");
  EXPECT_EQ(shown("1e39", Type::Float32), "does not fit float32");
  EXPECT_EQ(shown("1e400"), "does not fit float64");
  EXPECT_EQ(shown("1e400", Type::Int8), "does not fit int8");
  EXPECT_TRUE(parse_value("1e400").is_number);
}

TEST(ValueText, SaysWhatIsNoNumber) {
  for (const char* word : {"", "much", "1x", "2 3", "x(i)", "i", "1+", "--", "complex(1,2"}) {
    EXPECT_EQ(shown(word), "is not a number") << word;
    EXPECT_FALSE(parse_value(word).is_number) << word;
  }
}

}  // namespace
}  // namespace lacuna::tool::value_text_test

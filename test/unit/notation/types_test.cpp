#include <gtest/gtest.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "unit/notation/expect_error.h"

namespace lacuna::types_test {
namespace {

const FactsByName facts{
    {"b", {Type::Bool, {}}},    {"c", {Type::Int8, {}}},    {"u", {Type::UInt32, {}}},    {"l", {Type::Int64, {}}},
    {"f", {Type::Float32, {}}}, {"d", {Type::Float64, {}}}, {"z", {Type::Complex64, {}}},
};

Type type(const std::string& text) { return type_of(parse_statement("y = " + text).rhs, facts); }
Type computed(const std::string& text) { return compute_type(parse_statement(text), facts); }

TEST(Types, ExpressionsFollowTheUsualArithmeticConversions) {
  EXPECT_EQ(type("c"), Type::Int8);
  EXPECT_EQ(type("-c"), Type::Int32);
  EXPECT_EQ(type("c * c"), Type::Int32);
  EXPECT_EQ(type("u + 1"), Type::UInt32);
  EXPECT_EQ(type("l / f"), Type::Float32);
  EXPECT_EQ(type("f - d"), Type::Float64);
  EXPECT_EQ(type("z * d"), Type::Complex128);
  EXPECT_EQ(type("sum(k, k)"), Type::Int64);
  EXPECT_EQ(type("sum(k, b)"), Type::Int32);
  EXPECT_EQ(type("int8(d)"), Type::Int8);
  EXPECT_EQ(type("sqrt(c)"), Type::Float64);
  EXPECT_EQ(type("sqrt(f)"), Type::Float32);
  EXPECT_EQ(type("gt(f, d)"), Type::Bool);
  EXPECT_EQ(type("abs(z)"), Type::Float32);
}

TEST(Types, TheRightSideIsComputedInTheTypeOfAllItsTerms) {
  EXPECT_EQ(computed("d = c"), Type::Int32);
  EXPECT_EQ(computed("d = f * f"), Type::Float32);
  EXPECT_EQ(computed("c = u - (c + l)"), Type::Int64);
  EXPECT_EQ(computed("c = b + gt(f, 1)"), Type::Int32);
}

TEST(Types, AWiderResultIsComputedInItsOwnType) {
  const auto into = [](const std::string& text, Type result) {
    return compute_type(parse_statement(text), facts, result);
  };
  EXPECT_EQ(into("y = c", Type::Int64), Type::Int64);
  EXPECT_EQ(into("y = c", Type::UInt64), Type::UInt64);
  EXPECT_EQ(into("y = c", Type::Float64), Type::Float64);
  EXPECT_EQ(into("y = f * f", Type::Float64), Type::Float64);
  EXPECT_EQ(into("y = f", Type::Complex64), Type::Complex64);
  // Not wider, or not exact.
  EXPECT_EQ(into("y = c", Type::Int8), Type::Int32);
  EXPECT_EQ(into("y = c", Type::Float32), Type::Int32);
  EXPECT_EQ(into("y = l", Type::Float64), Type::Int64);
  EXPECT_EQ(into("y = d", Type::Float32), Type::Float64);
  EXPECT_EQ(into("y = z", Type::Float64), Type::Complex64);
}

TEST(Types, WrittenOutSumsThatAreTermsRunInTheTypeOfAWiderResult) {
  const auto wide = [](const std::string& text) {
    return to_string(with_wide_sums(parse_statement(text), facts, Type::Int64).rhs);
  };
  EXPECT_EQ(wide("y = sum(k, c)"), "sum(k, int64(c))");
  EXPECT_EQ(wide("y = l - sum(k, sum(m, c))"), "l - sum(k, m, int64(c))");
  EXPECT_EQ(wide("y = c * sum(k, c)"), "c * sum(k, c)");
  EXPECT_EQ(wide("y = sum(k, l)"), "sum(k, l)");
}

TEST(Types, AccumulationJoinsTheResultsOwnType) {
  EXPECT_EQ(computed("d += f"), Type::Float64);
  EXPECT_EQ(computed("c += f"), Type::Float32);
}

TEST(Types, MistakesAreShownWhereTheyStand) {
  EXPECT_EQ(expect_error([] { computed("y = 1 + min(z, 1)"); }, "min is not defined for complex arguments"),
            "min(z, 1)");
  EXPECT_EQ(expect_error([] { computed("y = 1 + q"); }, "nothing is known of the tensor q"), "q");
  expect_error([] { computed("y += 1"); }, "nothing is known of the tensor y");
}

}  // namespace
}  // namespace lacuna::types_test

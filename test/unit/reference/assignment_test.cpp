#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/notation/expect_error.h"
#include "unit/reference/evaluate_text.h"

namespace lacuna::assignment_test {
namespace {

using ::testing::ElementsAre;

// y = (1, ., 3), x = (., 20, 30), A = [5 6; . 8]
const Operands operands{
    {"y", sparse<double>(3, {{{0}, 1}, {{2}, 3}})},
    {"x", sparse<double>(3, {{{1}, 20}, {{2}, 30}})},
    {"w", dense<double>({1, 2, 3})},
    {"A", tensor<double>("csr", {2, 2}, {{{0, 0}, 5}, {{0, 1}, 6}, {{1, 1}, 8}})},
    {"d", dense<double>({100, 200})},
    {"v", sparse<double>(2, {{{1}, 7}})},
};

std::vector<std::string> result(const std::string& text, Type type = Type::Float64) {
  return lines(evaluate(text, operands, type));
}

TEST(Assignment, ReplacesTheWholeTensor) { EXPECT_THAT(result("y(i) = x(i)"), ElementsAre("1: 20*", "2: 30*")); }

TEST(Assignment, AccumulationKeepsTheUnionOfTheStored) {
  EXPECT_THAT(result("y(i) += x(i)"), ElementsAre("0: 1*", "1: 20*", "2: 33*"));
  EXPECT_THAT(result("w(i) += x(i)"), ElementsAre("0: 1", "1: 22*", "2: 33*"));
}

TEST(Assignment, AccumulationAddsTheOldContentsOnce) {
  EXPECT_THAT(result("d(i) += A(i,j)"), ElementsAre("0: 111*", "1: 208*"));
  EXPECT_THAT(result("y(i) += -x(i) - w(i)"), ElementsAre("0: 0*", "1: -22*", "2: -30*"));
}

TEST(Assignment, TheResultIsReadAsItWasBefore) {
  EXPECT_THAT(result("y(i) = 2 * y(i) + x(i)"), ElementsAre("0: 2*", "1: 20*", "2: 36*"));
  EXPECT_THAT(result("y(i) += y(i)"), ElementsAre("0: 2*", "2: 6*"));
  EXPECT_THAT(result("d(i) = d(i) * A(i,j)"), ElementsAre("0: 1100*", "1: 1600*"));
}

TEST(Assignment, RepeatedVariablesOnTheLeftDefineTheDiagonalOnly) {
  EXPECT_THAT(result("A(i,i) = d(i)"), ElementsAre("0,0: 100", "1,1: 200"));
  EXPECT_THAT(result("A(i,i) = A(i,i) * v(i)"), ElementsAre("1,1: 56*"));
}

TEST(Assignment, RepeatedVariablesOnTheLeftKeepTheRestWhenAccumulating) {
  EXPECT_THAT(result("A(i,i) += d(i)"), ElementsAre("0,0: 105*", "0,1: 6*", "1,1: 208*"));
}

TEST(Assignment, WhatIsNotWrittenKeepsItsExactValue) {
  const std::int64_t big = (std::int64_t{1} << 53) + 1;  // not a double
  const Operands integers{{"A", tensor<std::int64_t>("csr", {2, 2}, {{{0, 0}, 1}, {{0, 1}, big}})},
                          {"d", dense<double>({0.5, 0.5})}};
  EXPECT_THAT(lines(evaluate("A(i,i) += d(i)", integers, Type::Int64)),
              ElementsAre("0,0: 1*", "0,1: 9007199254740993*", "1,1: 0"));
}

TEST(Assignment, ScalarsAreAssignedAndAccumulated) {
  const Operands scalars{{"s", scalar<double>(3)}, {"x", operands.at("x")}};
  EXPECT_THAT(lines(evaluate("s = x(i)", scalars)), ElementsAre(": 50*"));
  EXPECT_THAT(lines(evaluate("s += x(i)", scalars)), ElementsAre(": 53*"));
  EXPECT_THAT(lines(evaluate("t = 2 * 3.5", scalars)), ElementsAre(": 7"));
}

TEST(Assignment, MeaninglessStatementsAreRefused) {
  expect_error([] { result("A(i,j) = A(j,i)"); }, "may be read only where it is written");
  expect_error([] { result("y(i) = w(i) * (x(i) + y(i)) * (d(j) + w(i))"); }, "j is summed over");
}

TEST(Assignment, TheResultBecomesATensorOfAnyFormat) {
  const ReferenceResult sum = evaluate("A(i,j) = A(i,j) + A(i,j)", operands);
  for (const std::string format : {"dense", "csr", "csc", "dcsr", "coo", "bitmap", "hashed"}) {
    const Storage stored = to_storage(sum, parse_format(format, 2));
    EXPECT_EQ(stored.stored(), format == "dense" ? 4 : 3) << format;
    EXPECT_EQ(stored.dimensions, (std::vector<std::int64_t>{2, 2}));
    const Operands again{{"B", stored}};
    EXPECT_EQ(evaluate("s = B(i,j)", again).entries.at({}).value, Scalar(38.0)) << format;
  }
}

}  // namespace
}  // namespace lacuna::assignment_test

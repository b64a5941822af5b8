#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/notation/expect_error.h"
#include "unit/reference/evaluate_text.h"

namespace lacuna::sums_test {
namespace {

using ::testing::ElementsAre;

//     1 2 .
// A = . . .     x = (10, 100, 1000), b = (1, 2, 3)
//     . 4 9
const Operands operands{
    {"A", tensor<double>("csr", {3, 3}, {{{0, 0}, 1}, {{0, 1}, 2}, {{2, 1}, 4}, {{2, 2}, 9}})},
    {"x", dense<double>({10, 100, 1000})},
    {"b", dense<double>({1, 2, 3})},
    {"s", scalar<double>(5)},
};

std::vector<std::string> result(const std::string& text) { return lines(evaluate(text, operands)); }

TEST(Sums, AProductIsSummedOverWhatTheResultLacks) {
  EXPECT_THAT(result("y(i) = A(i,j) * x(j)"), ElementsAre("0: 210*", "2: 9400*"));
  EXPECT_THAT(result("t = A(i,j)"), ElementsAre(": 16*"));
}

TEST(Sums, OnlyTheTermThatUsesAVariableIsSummedOverIt) {
  EXPECT_THAT(result("y(i) = b(i) + A(i,j) * x(j)"), ElementsAre("0: 211*", "1: 2", "2: 9403*"));
  EXPECT_THAT(result("y(i) = b(i) - (A(i,j) * x(j) - b(i))"), ElementsAre("0: -208*", "1: 4", "2: -9394*"));
}

TEST(Sums, AFunctionIsSummedOutside) {
  EXPECT_THAT(result("y(i) = sqrt(A(i,j))"), ElementsAre("0: 2.414213562373095*", "2: 5*"));
  EXPECT_THAT(result("y(i) = square(sum(j, A(i,j) * x(j)) + 1)"), ElementsAre("0: 44521*", "1: 1", "2: 88378801*"));
}

TEST(Sums, AnExplicitSumStandsWhereItIsWritten) {
  EXPECT_THAT(result("y(i) = b(i) * (sum(j, A(i,j)) + b(i))"), ElementsAre("0: 4*", "1: 4", "2: 48*"));
  EXPECT_THAT(result("y(i) = sum(j, b(i) * (A(i,j) + b(i)))"), ElementsAre("0: 6*", "1: 12", "2: 66*"));
}

TEST(Sums, AnExplicitSumCountsAVariableItDoesNotUse) {
  EXPECT_THAT(lines(evaluate("y(i) = sum(k, b(i))", operands, Type::Float64, {{"k", 4}})),
              ElementsAre("0: 4", "1: 8", "2: 12"));
  EXPECT_THAT(lines(evaluate("t = sum(k, k)", operands, Type::Int64, {{"k", 5}})), ElementsAre(": 10"));
}

TEST(Sums, TwoSumsMayUseTheSameName) {
  EXPECT_THAT(result("y(i) = sum(j, A(i,j)) * sum(j, x(j))"), ElementsAre("0: 3330*", "2: 14430*"));
}

TEST(Sums, NestedSumsRunInside) {
  EXPECT_THAT(result("t = sum(i, b(i) * sum(j, A(i,j) * x(j)))"), ElementsAre(": 28410*"));
  EXPECT_THAT(result("t = sum(i, j, A(i,j) * A(j,i))"), ElementsAre(": 82*"));
}

TEST(Sums, RepeatedVariablesReadTheDiagonal) {
  EXPECT_THAT(result("y(i) = A(i,i)"), ElementsAre("0: 1*", "2: 9*"));
  EXPECT_THAT(result("t = A(i,i) * b(i)"), ElementsAre(": 28*"));
}

TEST(Sums, MatrixProductsJoinStoredCoordinates) {
  EXPECT_THAT(result("C(i,j) = A(i,k) * A(j,k)"), ElementsAre("0,0: 5*", "0,2: 8*", "2,0: 8*", "2,2: 97*"));
  EXPECT_THAT(result("C(i,j) = A(i,k) * A(k,j)"), ElementsAre("0,0: 1*", "0,1: 2*", "2,1: 36*", "2,2: 81*"));
}

TEST(Sums, AVariableOfTheLeftAloneIsBroadcastTo) {
  EXPECT_THAT(lines(evaluate("C(i,k) = A(i,j) + s * b(i)", operands, Type::Float64, {{"k", 2}})),
              ElementsAre("0,0: 8*", "0,1: 8*", "1,0: 10", "1,1: 10", "2,0: 28*", "2,1: 28*"));
}

TEST(Sums, ASumOfFactorsVisitsEveryPointOnce) {
  // At (0,0) both addends are stored, and each pair is still counted once.
  EXPECT_THAT(result("y(i) = (A(i,j) + A(j,i)) * x(j)"), ElementsAre("0: 220*", "1: 4020*", "2: 18400*"));
}

TEST(Sums, IntegersAreAddedInTheComputeType) {
  const Operands bytes{{"a", dense<std::int8_t>({100, 100, 100})}};
  EXPECT_THAT(lines(evaluate("t = a(i)", bytes, Type::Int32)), ElementsAre(": 300"));
  EXPECT_THAT(lines(evaluate("t = a(i)", bytes, Type::Int8)), ElementsAre(": 44"));
}

TEST(Sums, OperandsThatAreMissingOrOfAnotherSizeAreRefused) {
  const Statement s = parse_statement("y(i) = q(i)");
  const std::map<IndexVar, std::int64_t> sizes{{s.lhs.indices[0], 3}};
  expect_error([&] { evaluate_reference(s, {}, Type::Float64, sizes); }, "the tensor q is not given");
  expect_error([&] { evaluate_reference(s, {{"q", dense<double>({1})}}, Type::Float64, sizes); }, "dimensions of q");
  expect_error([&] { evaluate_reference(s, {{"q", dense<double>({1})}}, Type::Float64, {}); }, "no size is given");
}

}  // namespace
}  // namespace lacuna::sums_test

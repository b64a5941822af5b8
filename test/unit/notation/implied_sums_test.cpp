#include <string>

#include <gtest/gtest.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

std::string implied(const std::string& text) {
  FactsByName facts;
  for (const char* name : {"A", "B", "C"}) facts[name] = {Type::Float64, std::vector<std::int64_t>{3, 3}};
  for (const char* name : {"x", "z"}) facts[name] = {Type::Float64, std::vector<std::int64_t>{3}};
  facts["c"] = {Type::Float64, std::vector<std::int64_t>{}};
  facts["n"] = {Type::Int32, std::vector<std::int64_t>{3}};
  facts["u"] = {Type::UInt64, std::vector<std::int64_t>{3}};
  const Statement s = parse_statement(text);
  return to_string(with_implied_sums(s, facts, compute_type(s, facts)));
}

TEST(ImpliedSums, StandForWholeTerms) {
  EXPECT_EQ(implied("C(i,j) = sum(k, A(i,k) * B(k,j))"), "C(i,j) = A(i,k) * B(k,j)");
  EXPECT_EQ(implied("y(i) = x(i) - sum(j, A(i,j) * z(j))"), "y(i) = x(i) - A(i,j) * z(j)");
  EXPECT_EQ(implied("s = -sum(i, j, A(i,j))"), "s = -A(i,j)");
  EXPECT_EQ(implied("s = sum(i, exp(x(i)))"), "s = exp(x(i))");
}

TEST(ImpliedSums, TakeInFactorsWithoutIndices) {
  EXPECT_EQ(implied("C(i,j) = 2 * sum(k, A(i,k) * B(k,j))"), "C(i,j) = 2 * (A(i,k) * B(k,j))");
  EXPECT_EQ(implied("C(i,j) = sum(k, A(i,k) * B(k,j)) * c"), "C(i,j) = A(i,k) * B(k,j) * c");
  EXPECT_EQ(implied("C(i,j) = x(i) * sum(k, A(i,k) * B(k,j))"), "C(i,j) = x(i) * sum(k, A(i,k) * B(k,j))");
}

TEST(ImpliedSums, TakeInWhatAnOuterSumGoesOver) {
  EXPECT_EQ(implied("y(i) = sum(k, sum(j, A(i,j) * B(j,k)) * x(k))"), "y(i) = A(i,j) * B(j,k) * x(k)");
  EXPECT_EQ(implied("s = x(i) * sum(j, A(i,j) * z(j))"), "s = x(i) * (A(i,j) * z(j))");
}

TEST(ImpliedSums, LeaveOtherSumsAsTheyAre) {
  for (const char* text : {
           "y(i) = sum(j, A(i,j) + B(i,j))",   // two terms, of which each would be summed
           "y(i) = sum(j, x(i)) + A(i,j)",     // as often as j has values
           "y(i) = exp(sum(j, A(i,j)*x(j)))",  // inside a function
           "y(i) = x(i) + sum(j, -u(j))",      // the sign is of another type
           "s = sum(i, x(i)) / c",             // 0 / 0 of a term where the quotient of the sum is infinite
           "s = (1 / c) * sum(i, x(i))",       // the same
           "y(i) = c*sum(j, n(j))",            // in another type
           "C(i,j) = sum(k, A(i,k)*B(k,j))*sum(l, A(j,l)*B(l,i))",  // both with indices
       })
    EXPECT_EQ(implied(text), to_string(parse_statement(text)));
  EXPECT_EQ(implied("s = sum(i, sum(j, A(i,j)*x(j)) * sum(j, B(i,j)*x(j)))"),
            "s = sum(j, A(i,j) * x(j)) * sum(j, B(i,j) * x(j))");
}

}  // namespace
}  // namespace lacuna

// Divisions of integers under the sum that a term gets.

#include <gtest/gtest.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "unit/notation/expect_error.h"

namespace lacuna::divisions_test {
namespace {

/// Tensors with small letters hold floating point, others integers.
FactsByName facts_of(const Statement& s) {
  FactsByName facts;
  facts[s.lhs.tensor.name()] = {Type::Int64, {}};
  for (const std::string& name : operand_names(s))
    facts[name] = {name[0] >= 'a' && name[0] <= 'z' ? Type::Float64 : Type::Int32, {}};
  return facts;
}

void check(const std::string& text) {
  const Statement s = parse_statement(text);
  check_meaning(s);
  check_divisions(s, facts_of(s));
}
void accepted(const std::string& text) { EXPECT_NO_THROW(check(text)) << text; }

/// Both forms that the message offers are accepted themselves. Returns where the message points.
std::string refused(const std::string& left, const std::string& right, const std::string& of_sum,
                    const std::string& of_each) {
  const std::string where =
      expect_error([&] { check(left + " = " + right); },
                   "write " + of_sum + " to divide the sum, or " + of_each + " to sum the quotients");
  accepted(left + " = " + of_sum);
  accepted(left + " = " + of_each);
  return where;
}

TEST(Divisions, AQuotientOfIntegersUnderItsTermsSumIsRefusedWithBothForms) {
  EXPECT_EQ(refused("t", "A(i,j)*A(j,k)*A(k,i)/6", "sum(i, j, k, A(i,j) * A(j,k) * A(k,i)) / 6",
                    "sum(i, j, k, A(i,j) * A(j,k) * A(k,i) / 6)"),
            "A(i,j)*A(j,k)*A(k,i)/6");
  refused("y(i)", "A(i,j)/2", "sum(j, A(i,j)) / 2", "sum(j, A(i,j) / 2)");
  refused("y(i)", "A(i,j)/C(i)", "sum(j, A(i,j)) / C(i)", "sum(j, A(i,j) / C(i))");
}

TEST(Divisions, AFactorOfTheTermIsAsAmbiguousAsTheTerm) {
  EXPECT_EQ(refused("y(i)", "-(A(i,j)/2)*X(j)", "sum(j, -A(i,j) * X(j)) / 2", "sum(j, -(A(i,j) / 2) * X(j))"),
            "A(i,j)/2");
  refused("y(i)", "B(i)*(A(i,j)/C(i))*X(k)", "sum(j, k, B(i) * A(i,j) * X(k)) / C(i)",
          "sum(j, k, B(i) * (A(i,j) / C(i)) * X(k))");
}

TEST(Divisions, OnlyVariablesThatTheDenominatorLacksAreInQuestion) {
  accepted("y(i) = A(i,j)/X(j)");
  accepted("y(i) = C(i)/A(i,j)");
  refused("y(i)", "A(i,j)*B(j,k)/X(j)", "sum(k, A(i,j) * B(j,k)) / X(j)", "sum(k, A(i,j) * B(j,k) / X(j))");
}

TEST(Divisions, InsideAFunctionOneThatHoldsAllUsesOfAVariableIsRefused) {
  refused("y(i)", "abs(A(i,j)/2)", "abs(sum(j, A(i,j)) / 2)", "sum(j, abs(A(i,j) / 2))");
  refused("y(i)", "float64(A(i,j)*X(j)/6)", "float64(sum(j, A(i,j) * X(j)) / 6)", "sum(j, float64(A(i,j) * X(j) / 6))");
  accepted("y(i) = abs(A(i,j)/2)*X(j)");
  accepted("y(i) = float64(A(i,j)/2)*x(j)");
}

TEST(Divisions, OfASumOnlyTheVariablesOutsideAreInQuestion) {
  accepted("y(i) = sum(j, A(i,j)/2)");
  accepted("y(i) = sum(j, A(i,j))/2");
  refused("y(i)", "sum(j, A(i,j)*B(j,k)/2)", "sum(j, sum(k, A(i,j) * B(j,k)) / 2)", "sum(k, j, A(i,j) * B(j,k) / 2)");
}

TEST(Divisions, OfOtherTypesAndOutsideOfSumsAreWhatTheyAre) {
  accepted("y(i) = A(i,j)*x(j)/6");
  accepted("y(i) = A(i,j)*X(j)/6.0");
  accepted("y(i) = float64(A(i,j))/6");
  accepted("y(i) = B(i)/2 + A(i,j)*X(j)");
  accepted("C(i,j) = A(i,j)/6");
  accepted("y(i) = B(i)/2*X(j)");
  accepted("y(i) = mod(A(i,j), 2)");
  accepted("y(i) = int32(a(i,j))");
  accepted("y(i) = abs(A(i,j))");
}

}  // namespace
}  // namespace lacuna::divisions_test

#include "lacuna/notation/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"
#include "unit/notation/expect_error.h"

namespace lacuna::check_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> terms(const std::string& text) {
  std::vector<std::string> result;
  for (const Term& term : terms_of(parse_statement(text))) {
    std::string line = (term.negative ? "- " : "+ ") + to_string(term.expr);
    for (const IndexVar& var : term.sums) line += " | " + var.name();
    result.push_back(line);
  }
  return result;
}

std::string refused(const std::string& text, const std::string& part) {
  return expect_error([&] { check_meaning(parse_statement(text)); }, part);
}
void accepted(const std::string& text) { EXPECT_NO_THROW(check_meaning(parse_statement(text))) << text; }

TEST(Terms, EachIsSummedOverItsOwnVariables) {
  EXPECT_THAT(terms("y(i) = b(i) + A(i,j)*x(j)"), ElementsAre("+ b(i)", "+ A(i,j) * x(j) | j"));
  EXPECT_THAT(terms("s = A(i,j) - c(k)"), ElementsAre("+ A(i,j) | i | j", "- c(k) | k"));
  EXPECT_THAT(terms("y(i) = sqrt(A(i,j)*x(j))"), ElementsAre("+ sqrt(A(i,j) * x(j)) | j"));
}

TEST(Terms, ParenthesesAndSignsAreLookedThrough) {
  EXPECT_THAT(terms("y(i) = -(a(i) - (b(i) + c(i)))"), ElementsAre("- a(i)", "+ b(i)", "+ c(i)"));
  EXPECT_THAT(terms("y(i) = -(-(a(i)))"), ElementsAre("+ a(i)"));
  EXPECT_THAT(terms("y(i) = -(a(i) * (b(i) + c(i)))"), ElementsAre("- a(i) * (b(i) + c(i))"));
}

TEST(Terms, ExplicitSumsAndCastsAreNotOpened) {
  EXPECT_THAT(terms("y(i) = sum(j, A(i,j) + b(i)) + float32(a(i) + b(i))"),
              ElementsAre("+ sum(j, A(i,j) + b(i))", "+ float32(a(i) + b(i))"));
}

TEST(Meaning, OperandNamesComeInOrderOfFirstOccurrence) {
  EXPECT_THAT(operand_names(parse_statement("y(i) += b(i) + A(i,j)*b(j) + y(i)")), ElementsAre("b", "A", "y"));
}

TEST(Meaning, OrdinaryStatementsAreAccepted) {
  accepted("y(i) = b(i) + A(i,j)*x(j)");
  accepted("A(i,i) = d(i) + A(i,i)");
  accepted("y(i) = y(i) + A(i,j)*x(j)");
  accepted("B(i,j) = c(i)");
  accepted("C(i,j) = A(i,k) * A(j,k)");
  accepted("s = sum(i, a(i)) + sum(i, b(i))");
  accepted("y(i) = b(i) * (a(i) + 2)");
  accepted("y(i) = (A(i,j) + B(i,j)) * x(j)");
  accepted("y(i) = (i + 1) * a(i)");
}

TEST(Meaning, AnAdditionThatUsesASummedVariableInSomeAddendsOnlyIsAmbiguous) {
  EXPECT_EQ(
      refused("y(i) = b(i)*(A(i,j) + c(i))", "sum(j, A(i,j)) for that addend alone, or sum(j, b(i) * (A(i,j) + c(i)))"),
      "c(i)");
  EXPECT_EQ(refused("y(i) = A(i,j) / (1 + x(j))", "j is summed over and 1 does not use it"), "1");
  refused("y(i) = exp(x(j) - a(i))", "j is summed over and a(i)");
  refused("y(i) = A(i,j) * (b(i) + -(c(i) - x(j)))", "j is summed over and b(i)");
  refused("y(i) = float64(A(i,j) + b(i))", "j is summed over");
  refused("y(i) = sum(k, B(i,j,k) + c(k))", "j is summed over and c(k)");
  refused("y(i) = exp(-(2 * (a(i) + x(j))))", "j is summed over and a(i)");
}

TEST(Meaning, TheExplicitSumResolvesTheAmbiguity) {
  accepted("y(i) = b(i)*(sum(j, A(i,j)) + c(i))");
  accepted("y(i) = sum(j, b(i)*(A(i,j) + c(i)))");
  accepted("y(i) = sum(j, A(i,j) / (1 + x(j)))");
}

TEST(Meaning, SumsRunOverVariablesOfTheirOwn) {
  EXPECT_EQ(refused("y(i) = sum(i, a(i))", "i is an index of the result y"), "sum(i, a(i))");
  refused("s = sum(j, a(j) * sum(j, b(j)))", "j is summed over twice");
  refused("y(i) = sum(j, A(i,j)) * b(j)", "j is summed over twice");
}

TEST(Meaning, AnIndexWhereTheVariableOfAReductionWouldStandIsRefused) {
  EXPECT_EQ(refused("y(i) = max(j, A(i,j)*x(j))", "element by element, write max(A(i,j) * x(j), j); reductions by max"),
            "max(j, A(i,j)*x(j))");
  refused("y(i) = b(i) * min(i, a(i))", "write min(a(i), i)");
  refused("y(i) = sum(j, 2 * max(j, 1))", "write max(1, j)");
  refused("y(i) = max(i, j) * A(i,j)", "write max(int64(i), j)");
  refused("y(i) = or(j, A(i,j))", "reductions by or do not exist yet");
  const IndexVar i("i"), j("j");
  const Expr x = make_expr(Access{TensorVar("x", 1), {j}});
  const Access lhs{TensorVar("y", 0), {}};
  expect_error([&] { check_meaning({lhs, false, max(j, x), ""}); }, "write max(x(j), j)");
}

TEST(Meaning, AnIndexElsewhereIsItsValue) {
  accepted("y(i) = max(A(i,j), j)");
  accepted("y(i) = max(int64(i), j) * A(i,j)");
  accepted("y(i) = max(2 * j, A(i,j))");
  accepted("y(i) = mod(i, 2) * a(i)");
  accepted("y(i) = gt(j, i) * A(i,j)");
  accepted("y(i) = pow(i, 2) + a(i)");
}

TEST(Meaning, TheResultIsReadOnlyWhereItIsWritten) {
  EXPECT_EQ(refused("A(i,j) = A(j,i)", "A is the result and may be read only where it is written, as A(i,j)"),
            "A(j,i)");
  refused("y(i) = y(j) * A(i,j)", "may be read only where it is written");
}

TEST(Meaning, AVariableThatIndexesNothingIsRefused) {
  const IndexVar i("i");
  const IndexVar k("k");
  const Access lhs{TensorVar("y", 1), {i}};
  expect_error([&] { check_meaning({lhs, false, Expr(i) + Expr(k), ""}); }, "k indexes no tensor");
  EXPECT_NO_THROW(check_meaning({lhs, false, Expr(i) + sum(k, k), ""}));
}

TEST(Meaning, NamesOfTreesMadeInCppAreChecked) {
  const IndexVar i("i");
  const Access lhs{TensorVar("y", 1), {i}};
  const auto access = [](const std::string& name, const std::vector<IndexVar>& vars) {
    return make_expr(Access{TensorVar(name, static_cast<int>(vars.size())), vars});
  };
  expect_error(
      [&] {
        check_meaning({lhs, false, access("a", {IndexVar("i")}), ""});
      },
      "two different index variables are called i");
  expect_error(
      [&] {
        check_meaning({lhs, false, access("a", {i}) * access("a", {i, i}), ""});
      },
      "a is written with 2 index variable(s) here, but has 1");
  expect_error([&] { check_meaning({lhs, false, access("i", {}), ""}); }, "i is both a tensor and an index variable");
  expect_error([&] { check_meaning({lhs, false, Expr(), ""}); }, "has no right side");
}

}  // namespace
}  // namespace lacuna::check_test

#include "lacuna/notation/expr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"
#include "unit/notation/expect_error.h"

namespace lacuna::expr_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(const std::vector<IndexVar>& vars) {
  std::vector<std::string> result;
  for (const IndexVar& var : vars) result.push_back(var.name());
  return result;
}

TEST(Expr, FreshVariablesDiffer) {
  const IndexVar a;
  const IndexVar b;
  EXPECT_FALSE(a == b);
  EXPECT_NE(a.name(), b.name());
  EXPECT_FALSE(IndexVar("i") == IndexVar("i"));
}

TEST(Expr, FreeVariablesLeaveOutBoundOnes) {
  const Statement s = parse_statement("y(i) = sum(j, A(j,k) * B(k,i)) + k");
  EXPECT_THAT(names(free_variables(s.rhs)), ElementsAre("k", "i"));
  EXPECT_THAT(names(all_variables(s)), ElementsAre("i", "j", "k"));
}

TEST(Expr, AVariableIsFreeOutsideItsSum) {
  const Statement s = parse_statement("y = sum(j, a(j)) * b(j)");
  EXPECT_THAT(names(free_variables(s.rhs)), ElementsAre("j"));
}

TEST(Expr, AccessesComeFromLeftToRightWithRepetitions) {
  std::vector<std::string> found;
  for (const Access& a : accesses(parse_statement("y(i) = min(b(i), a(i)) / b(i)").rhs))
    found.push_back(a.tensor.name());
  EXPECT_THAT(found, ElementsAre("b", "a", "b"));
}

TEST(Expr, WithChildrenSharesUnchangedNodesAndReplacesOthers) {
  const Expr e = parse_statement("y(i) = max(a(i), 2)").rhs;
  EXPECT_EQ(with_children(e, children(e)).get(), e.get());
  const Expr changed = with_children(e, {children(e)[0], Expr(3)});
  EXPECT_EQ(to_string(changed), "max(a(i), 3)");
  EXPECT_EQ(changed.where().begin, e.where().begin);
  EXPECT_EQ(to_string(e), "max(a(i), 2)");
}

TEST(Expr, EqualityLooksAtEveryPart) {
  const auto rhs = [](const std::string& text) { return parse_statement("y(i,j) = " + text).rhs; };
  EXPECT_TRUE(equal(rhs("A(i,j)"), rhs(" A( i,j )")));
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{{"A(i,j)", "A(j,i)"},
                                                                             {"A(i,j)", "B(i,j)"},
                                                                             {"1", "1.0"},
                                                                             {"i", "j"},
                                                                             {"i+j", "i-j"},
                                                                             {"exp(i)", "log(i)"},
                                                                             {"int8(i)", "int16(i)"},
                                                                             {"-i", "exp(i)"},
                                                                             {"sum(k,k)", "sum(l,l)"}}) {
    EXPECT_FALSE(equal(rhs(a), rhs(b))) << a << " and " << b;
  }
}

TEST(Expr, NegatedAndCastLiteralsAreLiterals) {
  EXPECT_TRUE(equal(-Expr(2), Expr(-2)));
  EXPECT_TRUE(equal(cast(Type::Float32, Expr(0.5)), Expr(Scalar(0.5F))));
  EXPECT_EQ(as<Literal>(-Expr(Scalar(true)))->value, Scalar(-1));
}

TEST(Expr, BadNodesAreRefusedAtBirth) {
  const IndexVar i("i");
  expect_error([&] { make_expr(Access{TensorVar("A", 2), {i}}); }, "A has 2 mode(s), but is written with 1");
  expect_error([&] { call(FunctionId::Pow, {Expr(1)}); }, "pow takes 2 arguments, but 1 is given");
}

TEST(Expr, TreesAreBoundedInDepthAndSize) {
  const Expr leaf = make_expr(Access{TensorVar("s", 0), {}});
  expect_error(
      [&] {
        Expr e = leaf;
        for (int k = 0; k < 5000; ++k) e = e + leaf;
      },
      "more than 1000 operations deep");
  expect_error(
      [&] {
        Expr e = leaf;
        for (int k = 0; k < 100; ++k) e = e * e;
      },
      "more than 100000 operations and operands");
}

}  // namespace
}  // namespace lacuna::expr_test

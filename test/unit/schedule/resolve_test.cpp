#include "lacuna/schedule/language/resolve.h"

#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"

namespace lacuna::resolve_test {
namespace {

Expr expression(const std::string& text) { return parse_expression(text, {0, text.size()}); }

TEST(ResolveNames, TurnsBareNamesIntoTheValuesOfTheStatementsVariables) {
  const Expr in_statement = parse_statement("y(i) = A(i,j) * (i + c * x(j))").rhs;
  const Expr alone = expression("i + c * x(j)");

  EXPECT_FALSE(equal(alone, as<Binary>(in_statement)->right));
  EXPECT_TRUE(equal(resolve_names(alone, {"i", "j"}), as<Binary>(in_statement)->right));
}

TEST(ResolveNames, TurnsOtherNamesBackIntoScalars) {
  const std::string text = "w * a(i)";
  const Expr listed = parse_expression(text, {0, text.size()}, {"w"});

  EXPECT_TRUE(equal(resolve_names(listed, {"i"}), expression(text)));
}

TEST(ResolveNames, LeavesVariablesOfSumsAlone) {
  const Expr e = expression("sum(k, k * a(k)) + k");

  const Expr resolved = resolve_names(e, {"i"});

  EXPECT_NE(as<Access>(as<Binary>(resolved)->right), nullptr);
  EXPECT_EQ(as<Binary>(resolved)->left.get(), as<Binary>(e)->left.get());
}

TEST(ResolveNames, SharesWhatDoesNotChange) {
  const Expr e = expression("a(i) * 2");
  EXPECT_EQ(resolve_names(e, {"i"}).get(), e.get());
}

}  // namespace
}  // namespace lacuna::resolve_test

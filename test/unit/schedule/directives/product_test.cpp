#include "lacuna/schedule/directives/product.h"

#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"

namespace lacuna::product::product_test {
namespace {

Expr right_side(const std::string& text) { return parse_statement("y(i) = " + text).rhs; }

/// Every tensor of one type, but n, which holds int32.
FactsByName facts(Type type) {
  FactsByName all;
  for (const char* name : {"a", "b", "c", "d"}) all[name] = {type, std::nullopt};
  all["n"] = {Type::Int32, std::nullopt};
  return all;
}

std::vector<std::string> shown(const Product& p) {
  std::vector<std::string> text;
  for (const Factor& f : p.factors) text.push_back((f.divides ? "/" : "") + to_string(f.expr));
  return text;
}

using Strings = std::vector<std::string>;

TEST(Product, ListsWhatIsMultipliedAndDividedThroughSigns) {
  const Product p = product_of(right_side("-(a(i) * -(b(i) / c(i))) * (d(i) + 1)"), facts(Type::Float64));
  EXPECT_EQ(shown(p), (Strings{"a(i)", "b(i)", "/c(i)", "d(i) + 1"}));
  EXPECT_FALSE(p.negative);
  EXPECT_TRUE(product_of(right_side("-a(i)"), facts(Type::Float64)).negative);
}

TEST(Product, CountsNoNumbersAmongItsOperands) {
  const Product p = product_of(right_side("2 * a(i) * 3 * i"), facts(Type::Float64));
  EXPECT_EQ(operands_of(p), (Places{1, 3}));
}

TEST(Product, KeepsQuotientsOfIntegersTogether) {
  const Product p = product_of(right_side("a(i) * b(i) / c(i) * d(i)"), facts(Type::Int64));
  EXPECT_EQ(shown(p), (Strings{"a(i) * b(i) / c(i)", "d(i)"}));
}

TEST(Product, KeepsWhatWrapsInAnotherTypeTogether) {
  const Product p = product_of(right_side("n(i) * n(i) * a(i) * b(i)"), facts(Type::Float64));
  EXPECT_EQ(shown(p), (Strings{"n(i) * n(i)", "a(i)", "b(i)"}));
}

TEST(Product, MultipliesInTheTypeOfTheWhole) {
  const FactsByName known = facts(Type::Float64);
  const Product p = product_of(right_side("a(i) * n(i) * n(i)"), known);
  EXPECT_EQ(to_string(multiply(p, {1, 2}, known)), "float64(n(i)) * n(i)");
  EXPECT_EQ(to_string(multiply(p, {0, 2}, known)), "a(i) * n(i)");
}

TEST(Product, DividesAfterItMultiplies) {
  const FactsByName known = facts(Type::Float64);
  const Product p = product_of(right_side("a(i) / b(i) * c(i)"), known);
  EXPECT_EQ(to_string(multiply(p, {1, 2}, known)), "c(i) / b(i)");
}

TEST(Product, PutsWhatReplacesFactorsInTheirPlace) {
  const Product p = product_of(right_side("-(a(i) / b(i) * c(i) * d(i))"), facts(Type::Float64));
  const Expr t = make_expr(Access{TensorVar("t", 0), {}});
  EXPECT_EQ(to_string(replace(p, {1, 2}, t, facts(Type::Float64))), "-(a(i) * t * d(i))");
  EXPECT_EQ(to_string(replace(p, {0, 1, 2}, t, facts(Type::Float64))), "-(t * d(i))");
  const FactsByName known = facts(Type::Float64);
  const Product mixed = product_of(right_side("n(i) * (n(i) * a(i))"), known);
  EXPECT_EQ(to_string(replace(mixed, {2}, t, known)), "float64(n(i)) * n(i) * t");
}

TEST(Product, ListsWhatIsAddedAndSubtracted) {
  const std::vector<Addend> all =
      addends_of(right_side("a(i) - (b(i) - c(i)) + -d(i)"), facts(Type::Float64), Type::Float64);
  EXPECT_EQ(to_string(add_up(all)), "a(i) - b(i) + c(i) - d(i)");
  EXPECT_EQ(to_string(add_up({all[1], all[2]})), "-b(i) + c(i)");
}

TEST(Product, KeepsSumsThatWrapBeforeTheyAreAddedUpTogether) {
  EXPECT_EQ(addends_of(right_side("n(i) + n(i)"), facts(Type::Float64), Type::Int64).size(), 1U);
  EXPECT_EQ(addends_of(right_side("n(i) + n(i)"), facts(Type::Float64), Type::Int32).size(), 2U);
}

}  // namespace
}  // namespace lacuna::product::product_test

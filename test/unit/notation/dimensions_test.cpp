#include <gtest/gtest.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "unit/notation/expect_error.h"

namespace lacuna::dimensions_test {
namespace {

const FactsByName facts{{"A", {Type::Float64, {{3, 4}}}},
                        {"x", {Type::Float64, {{4}}}},
                        {"w", {Type::Float64, {{5}}}},
                        {"y", {Type::Float64, {}}}};

std::map<std::string, std::int64_t> sizes(const std::string& text,
                                          const std::map<std::string, std::int64_t>& given = {}) {
  std::map<std::string, std::int64_t> by_name;
  for (const auto& [var, size] : infer_dimensions(parse_statement(text), facts, given)) by_name[var.name()] = size;
  return by_name;
}

using Sizes = std::map<std::string, std::int64_t>;

TEST(Dimensions, ComeFromTheOperands) { EXPECT_EQ(sizes("y(i) = A(i,j) * x(j)"), (Sizes{{"i", 3}, {"j", 4}})); }

TEST(Dimensions, ComeFromAResultOfKnownSize) { EXPECT_EQ(sizes("A(i,j) = x(j)"), (Sizes{{"i", 3}, {"j", 4}})); }

TEST(Dimensions, OfVariablesThatIndexNothingAreGiven) {
  EXPECT_EQ(sizes("y(i,k) = A(i,j) * x(j)", {{"k", 7}}), (Sizes{{"i", 3}, {"j", 4}, {"k", 7}}));
  EXPECT_EQ(sizes("s = sum(k, k)", {{"k", 0}}), (Sizes{{"k", 0}}));
}

TEST(Dimensions, ReachVariablesOfSums) { EXPECT_EQ(sizes("y(i) = sum(j, A(i,j))"), (Sizes{{"i", 3}, {"j", 4}})); }

TEST(Dimensions, ThatDisagreeNameBothPlaces) {
  EXPECT_EQ(expect_error([] { sizes("y(i) = A(i,j) * w(j)"); }, "j has size 4 by mode 1 of A but 5 by mode 0 of w"),
            "w(j)");
  expect_error([] { sizes("s = A(i,i)"); }, "i has size 3 by mode 0 of A but 4 by mode 1 of A");
  expect_error([] { sizes("y(i) = A(i,j)", {{"j", 9}}); }, "j has size 4 by mode 1 of A but 9 by the given size");
}

TEST(Dimensions, ThatAreUnknownAskForThem) {
  expect_error([] { sizes("y(i,k) = A(i,j)"); }, "the size of k cannot be told");
  expect_error([] { sizes("y(i) = A(i,j)", {{"q", 1}}); }, "no index variable of that name");
  expect_error([] { sizes("y(i,k) = A(i,j)", {{"k", -1}}); }, "negative");
}

TEST(Dimensions, OfAnotherOrderAreRefused) {
  EXPECT_EQ(expect_error([] { sizes("y(i) = A(i)"); }, "A has 2 mode(s), but is written with 1"), "A(i)");
}

}  // namespace
}  // namespace lacuna::dimensions_test

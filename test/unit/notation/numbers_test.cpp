#include "lacuna/notation/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/parse.h"

namespace lacuna::numbers_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const FactsByName facts{{"a", {Type::Float64, {}}}, {"n", {Type::Int32, {}}}, {"number_1", {Type::Float64, {}}}};

PassedNumbers passed(const std::string& text) { return pass_numbers(parse_statement(text), facts); }
std::string statement(const std::string& text) { return to_string(passed(text).statement); }

TEST(PassNumbers, MakesOperandsOfThem) {
  const PassedNumbers out = passed("y(i) += 0.5 * a(i) - max(a(i), 2) / 3.0");
  EXPECT_EQ(out.statement.text, "y(i) += number_1 * a(i) - max(a(i), number_2) / number_3");
  EXPECT_THAT(out.numbers,
              ElementsAre(Pair("number_1", Scalar(0.5)), Pair("number_2", Scalar(2)), Pair("number_3", Scalar(3.0))));
}

TEST(PassNumbers, FindsNamesThatAreFree) {
  EXPECT_EQ(statement("y(number_2) = 0.5 * a(number_2) * number_1"), "y(number_2) = number_3 * a(number_2) * number_1");
}

TEST(PassNumbers, LeavesStatementsWithoutNumbersAlone) {
  EXPECT_THAT(passed("y(i) = i * a(i)").numbers, IsEmpty());
  EXPECT_EQ(passed("y(i)  =  a(i)").statement.text, "y(i)  =  a(i)");
}

TEST(PassNumbers, LeavesWhatMakesTheKernel) {
  EXPECT_EQ(statement("y(i) = 0"), "y(i) = 0");
  EXPECT_EQ(statement("y(i) = max(a(i), 0.0) * 0.5"), "y(i) = max(a(i), 0.0) * number_1");
  EXPECT_EQ(statement("y(i) = n(i) / 2 + a(i) / 2"), "y(i) = n(i) / 2 + a(i) / number_1");
  EXPECT_EQ(statement("y(i) = (2 * n(i)) / (n(i) + 3)"), "y(i) = number_1 * n(i) / (n(i) + number_2)");
  EXPECT_EQ(statement("y(i) = mod(n(i) + 1, 2)"), "y(i) = mod(n(i) + number_1, 2)");
  EXPECT_EQ(statement("y(i) = pow(3 * a(i), 2) + pow(2, a(i))"), "y(i) = pow(number_1 * a(i), 2) + pow(2, a(i))");
  EXPECT_EQ(statement("y(i) = exp(1.5 + 2) * a(i)"), "y(i) = exp(1.5 + 2) * a(i)");
}

TEST(PassNumbers, NumbersAreKnownByTheirNames) {
  EXPECT_TRUE(is_number(parse_statement("y = 2").rhs));
  EXPECT_TRUE(is_number(parse_statement("y = number_12").rhs));
  for (const char* other : {"y = number_", "y = number_x", "y = number", "y(i) = number_1(i)", "y(i) = i"})
    EXPECT_FALSE(is_number(parse_statement(other).rhs)) << other;
}

}  // namespace
}  // namespace lacuna::numbers_test

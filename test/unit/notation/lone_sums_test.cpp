// Factors that share no index with anything: legal, and probably a mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

namespace lacuna::lone_sums_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> doubts(const std::string& text) { return doubts_about(parse_statement(text)); }

TEST(Doubts, AFactorThatSharesNoIndexIsNamedWithTheIndexThatWasMeant) {
  EXPECT_THAT(doubts("y(i) = A(i,j) * x(k)"),
              ElementsAre("in A(i,j) * x(k), k is used only in x(k), so that all of x is summed over k; did you mean "
                          "x(j)? (if the sum is meant, sum(k, x(k)) says so)"));
  EXPECT_THAT(doubts("s = x(i) * y(j)"), ElementsAre(HasSubstr("did you mean y(i)?")));
  EXPECT_THAT(doubts("y(i) = b(i) + x(k) * A(i,j)"), ElementsAre(HasSubstr("k is used only in x(k)")));
  EXPECT_THAT(doubts("y(i) = A(i,j) * x(j) * B(k,l)"), ElementsAre(HasSubstr("k, l are used only in B(k,l)")));
}

TEST(Doubts, SumsThatAreOrdinaryNotationRaiseNone) {
  for (const char* text : {"n(i) = A(i,j)", "s = A(i,j)", "y(i) = A(i,j) * x(j)", "y(i) = A(i,j) * b(i)",
                           "y(i) = A(i,j) * sum(k, x(k))", "y(i) = alpha * A(i,j)", "C(i,j) = a(i) * b(j)",
                           "y(i) = A(i,j) * x(j) * (z(k) * z(k))", "y(i) = a(i) + x(k)", "y(i) = k * x(k) * A(i,k)"})
    EXPECT_THAT(doubts(text), IsEmpty()) << text;
}

}  // namespace
}  // namespace lacuna::lone_sums_test

// One row a mistake in the text of a machine or a distribution: the text, what the carets point at, a piece of the
// message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/support/error.h"

namespace lacuna::parse_errors_test {
namespace {

using ::testing::HasSubstr;

struct Mistake {
  const char* text;
  const char* pointed_at;
  const char* piece;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }

template <typename F>
void expect_mistake(const Mistake& mistake, const char* what, const F& parse) {
  try {
    parse();
    FAIL() << "was read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(mistake.piece));
    ASSERT_TRUE(error.where().known()) << error.what();
    EXPECT_EQ(error.text(), mistake.text);
    EXPECT_EQ(error.text().substr(error.where().begin, error.where().end - error.where().begin), mistake.pointed_at);
    EXPECT_THAT(error.what(), HasSubstr(fmt::format("{}, column {}: ", what, error.where().begin + 1)));
  }
}

class MachineMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(MachineMistakes, ArePointedAt) {
  expect_mistake(GetParam(), "machine", [] { parse_machine(GetParam().text); });
}

INSTANTIATE_TEST_SUITE_P(
    All, MachineMistakes,
    ::testing::Values(Mistake{"", "", "expected a grid, as in Grid(4,4)"},
                      Mistake{"Gird(4)", "Gird", "expected a grid"},
                      Mistake{"Grid 4", "4", "expected '(' after Grid, found '4'"},
                      Mistake{"Grid()", ")", "the size of a dimension is missing"},
                      Mistake{"Grid(4,0)", "Grid(4,0)", "a grid cannot have 0 processors"},
                      Mistake{"Grid(4", "", "expected ')' after the sizes, but the text ends"},
                      Mistake{"Grid(4) Grid(2)", "Grid", "expected ',' and another grid"},
                      Mistake{"Grid(4) of cards", "cards", "known are processes, sockets, gpus and threads"},
                      Mistake{"Grid(99999999999999999999)", "99999999999999999999", "is too large"},
                      Mistake{"Grid(4) of threads,Grid(2) of sockets", "Grid(4) of threads,Grid(2) of sockets",
                              "a grid of sockets cannot be within one of threads"},
                      Mistake{"Grid(4);", ";", "unexpected ';' after the machine"}));

class DistributionMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(DistributionMistakes, ArePointedAt) {
  const Machine M(Grid(4, 2), Grid(2));
  expect_mistake(GetParam(), "distribution", [&] { parse_distribution(GetParam().text, M); });
}

INSTANTIATE_TEST_SUITE_P(
    All, DistributionMistakes,
    ::testing::Values(
        Mistake{"", "", "expected '->'"}, Mistake{"xy", "", "expected '->' after the tensor's dimensions"},
        Mistake{"xy = xy", "=", "then '->', found '='"}, Mistake{"xy ->", "", "after '->' comes a name"},
        Mistake{"xx -> x*", "x", "x names two dimensions of the tensor; give each a letter of its own"},
        Mistake{"xy -> x", "xy -> x", "Grid(4,2) has 2 dimensions, but 1 is said"},
        Mistake{"xy -> xy0", "xy -> xy0", "Grid(4,2) has 2 dimensions, but 3 are said"},
        Mistake{"xy -> xx", "x", "x names two dimensions of the machine; write '*' for one of them"},
        Mistake{"xy -> x2", "2", "coordinate 2 is outside of the machine: dimension 2 of Grid(4,2) has 0 to 1"},
        Mistake{"xy -> x01", "01", "put spaces between the coordinates"},
        Mistake{"xy -> ~z x", "~z", "no dimension of the tensor (xy)"},
        Mistake{"xy -> ~(xz)*", "~(xz)", "no dimension of the tensor (xy)"},
        Mistake{"xy -> Xy", "X", "the tensor has no dimension X; did you mean x? For copies, write '*'"},
        Mistake{"xy -> ~(xY)*", "Y", "did you mean y?"}, Mistake{"xy -> X%4 y", "X", "did you mean x?"},
        Mistake{"xy -> xy; zw -> W", "W", "did you mean w?"},
        Mistake{"xy -> z%4 x", "z%4", "no dimension of the tensor (xy)"},
        Mistake{"xy -> ~x ~y", "~y", "only one dimension of a grid can count"},
        Mistake{"xy -> ~(xx)*", "~(xx)", "x is there twice; write it once"},
        Mistake{"xy -> x%0 y", "x%0", "a block of 0 coordinates; the least is 1"},
        Mistake{"xy -> x% y", "y", "the length of a block, as in x%64, is missing"},
        Mistake{"xy -> ~x%4 y", "%", "what is counted cannot be partitioned in blocks"},
        Mistake{"xy -> ~x[4] y", "[", "what is counted cannot be partitioned in blocks; leave out '[' or '~'"},
        Mistake{"xy -> x[4 y", "y", "expected ']' after where the blocks begin"},
        Mistake{"xy -> z[1,2,3] x", "z[1,2,3]", "no dimension of the tensor (xy)"},
        Mistake{"xy -> x[4] y", "x[4]",
                "1 number where blocks begin makes 2 blocks, and dimension 1 of Grid(4,2) has 4"},
        Mistake{"xy -> x y[3,2]", "y[3,2]", "2 numbers where blocks begin make 3 blocks"},
        Mistake{"xy -> x[3,2,5] y", "x[3,2,5]", "blocks begin one after the other"},
        Mistake{"xy -> ~ *", "*", "expected a name after '~'"},
        Mistake{"xy -> ~(xy *", "*", "expected ')' after the names, found '*'"},
        Mistake{"xy -> x?", "?", "expected a name, '~', a number or '*', found '?'"},
        Mistake{"B C: xy -> xy", "B C", "expected the name of a tensor before ':'"},
        Mistake{"xy -> xy; zw -> z; ab -> a", "ab -> a", "Grid(4,2),Grid(2) has 2 levels"},
        Mistake{"xy -> xy; z -> z", "z -> z", "the same tensor has 2 dimensions at one level and 1 at another"}));

TEST(DistributionLetters, ThatTheTensorHasInBothCasesAreTwo) {
  EXPECT_EQ(parse_distribution("xX -> X", Machine(Grid(4))).distribution.to_string(), "xX -> X");
  EXPECT_EQ(parse_distribution("xy -> Z", Machine(Grid(4))).distribution.to_string(), "xy -> *");
}

}  // namespace
}  // namespace lacuna::parse_errors_test

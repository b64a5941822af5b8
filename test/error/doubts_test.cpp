// What is legal and probably a mistake is computed, with a warning.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::doubts_test {
namespace {

using ::testing::HasSubstr;

class DoubtTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n");
    folder_.write("x.tns", "1 2\n2 4\n3 6\n");
  }
  Ended lacuna(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), LACUNA_BINARY);
    return run_program(arguments, folder_.path(), {{"LACUNA_CACHE", "0"}});
  }
  TemporaryFolder folder_;
};

TEST_F(DoubtTest, AnIndexThatOnlyOneFactorUsesIsSaid) {
  const std::vector<std::string> inputs = {"y(i) = A(i,j) * x(k)", "-i", "A=A.mtx", "-i", "x=x.tns"};
  for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "--interpret"},
                                                  {"show", "--stage", "schedule"},
                                                  {"explain"},
                                                  {"run", "--interpret", "--machine", "Grid(2)"},
                                                  {"simulate", "--machine", "Grid(2)"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    const Ended ended = lacuna(arguments);
    EXPECT_EQ(ended.code, 0) << ended.error;
    EXPECT_THAT(ended.error, HasSubstr("lacuna: warning: in A(i,j) * x(k), k is used only in x(k)")) << command[0];
    EXPECT_THAT(ended.error, HasSubstr("did you mean x(j)?"));
  }
}

TEST_F(DoubtTest, AnExplicitSumRaisesNone) {
  const Ended ended = lacuna({"run", "y(i) = A(i,j) * sum(k, x(k))", "-i", "A=A.mtx", "-i", "x=x.tns", "--interpret"});
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_EQ(ended.error, "");
}

}  // namespace
}  // namespace lacuna::test::doubts_test

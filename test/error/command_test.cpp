// What the command accepts: forms of its arguments that one may well expect to work.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::command_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n");
    folder_.write("x.tns", "1 2\n2 4\n3 6\n");
  }
  /// What a command that succeeds prints.
  std::string output(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), LACUNA_BINARY);
    const Ended ended = run_program(arguments, folder_.path(), {{"LACUNA_CACHE", "0"}});
    EXPECT_EQ(ended.code, 0) << ended.error;
    return ended.output;
  }
  std::string run(const std::string& statement, std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", statement, "--interpret"});
    return output(more);
  }
  TemporaryFolder folder_;
};

TEST_F(CommandTest, AStatementMayEndInASemicolon) {
  EXPECT_THAT(run("s = x(i);", {"-i", "x=x.tns"}), HasSubstr("12"));
  EXPECT_THAT(output({"explain", "s = x(i) ;", "-i", "x=x.tns"}), HasSubstr("for i: what x stores"));
}

TEST_F(CommandTest, ASizeHoldsForTheStatementsThatHaveItsVariable) {
  const std::string printed = run("s = x(i); t = z(j) * z(j)", {"-i", "x=x.tns", "-i", "z=dense", "-d", "j=7"});
  EXPECT_THAT(printed, HasSubstr("z: 7"));
  const std::vector<std::string> verified = {"-i", "x=x.tns", "-i", "z=dense", "-d", "j=7", "--verify"};
  for (const char* statements : {"s = x(i); t = z(j) * z(j)", "t = z(j) * z(j); s = x(i)"})
    EXPECT_THAT(run(statements, verified), HasSubstr("verified"));
}

TEST_F(CommandTest, ACastMayBeWrittenAsTheHelpSays) {
  EXPECT_THAT(run("s = cast(float32, x(i)) * 2", {"-i", "x=x.tns"}), HasSubstr("s: scalar, float32"));
  EXPECT_THAT(run("s = cast(int64, x(i))", {"-i", "x=x.tns"}), HasSubstr("s: scalar, int64"));
}

TEST_F(CommandTest, ScalarsMayBeComplexOrBool) {
  const std::vector<std::string> x = {"-i", "x=x.tns"};
  for (const char* written : {"z=complex(0, 1)", "z=1i", "z=0+1j"})
    EXPECT_THAT(run("s = z * x(i)", {"-i", "x=x.tns", "-i", written}), AllOf(HasSubstr("complex128"), HasSubstr("12")))
        << written;
  EXPECT_THAT(run("s = b * x(i)", {"-i", "x=x.tns", "-i", "b=true"}), HasSubstr("b: scalar, bool"));
  EXPECT_THAT(run("s = b * x(i)", {"-i", "x=x.tns", "-i", "b=-2", "-t", "b:int8"}), HasSubstr("-24"));
  EXPECT_THAT(run("s = b * x(i)", {"-i", "x=x.tns", "-i", "b=3"}), HasSubstr("b: scalar, float64"));
}

TEST_F(CommandTest, TensorsMayHaveNamesOfTheHeaders) {
  EXPECT_THAT(output({"run", "lacuna_y(i) = LACUNA_OK(i)", "-i", "LACUNA_OK=x.tns"}), HasSubstr("lacuna_y: 3"));
}

TEST_F(CommandTest, ExportSaysWhatTheFunctionIsCalledWhereFilesHaveAnotherName) {
  EXPECT_EQ(output({"export", "y(i) = x(i)", "-o", "add_up"}), "wrote add_up.c and add_up.h\n");
  EXPECT_EQ(output({"export", "y(i) = x(i)", "-o", "2-norm"}),
            "wrote 2-norm.c and 2-norm.h; the function is called v2_norm\n");
}

TEST_F(CommandTest, CountsMayHaveExponents) {
  EXPECT_THAT(output({"generate", "uniform", "100x100", "--nnz", "8e2", "-o", "u.mtx"}), HasSubstr("800 stored"));
}

TEST_F(CommandTest, HelpExplainsCommands) {
  EXPECT_EQ(output({"help", "run"}), output({"run", "--help"}));
  EXPECT_EQ(output({"help", "generate"}), output({"generate", "--help"}));
  EXPECT_THAT(output({"help"}), HasSubstr("COMMAND"));
}

TEST_F(CommandTest, SeveralStatementsRunOnAMachineOneAfterTheOther) {
  const std::string statements = "y(i) = A(i,j) * x(j); n(i) = A(i,j)";
  const std::vector<std::string> more = {"-i",      "A=A.mtx", "-i",         "x=x.tns", "--machine",
                                         "Grid(2)", "--place", "A: xy -> x", "-o",      "y=y.tns",
                                         "-o",      "n=n.tns", "--verify"};
  EXPECT_THAT(run(statements, more), AllOf(HasSubstr("y: 2"), HasSubstr("n: 2")));
  EXPECT_EQ(folder_.read("y.tns"), "1 3\n2 15\n");
  EXPECT_EQ(folder_.read("n.tns"), "1 1.5\n2 2.5\n");
  std::vector<std::string> json = more;
  json.insert(json.end(), {"--json", "-"});
  EXPECT_THAT(run(statements, json), HasSubstr("further_results"));
}

TEST_F(CommandTest, StagesOnAMachineAreThoseOfEachProcessor) {
  const std::vector<std::string> statement = {
      "y(i) = A(i,j) * x(j)", "-f", "A:csr", "-d", "i=8,j=8", "--machine", "Grid(2)"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), statement.begin(), statement.end());
    return output(arguments);
  };
  EXPECT_THAT(with({"show", "--stage", "c"}), AllOf(HasSubstr("/* processor (0) and 1 other: "), HasSubstr("for (")));
  EXPECT_THAT(with({"show", "--stage", "concrete"}), HasSubstr("forall"));
  EXPECT_THAT(with({"show"}), AllOf(HasSubstr("== plan"), Not(HasSubstr("for ("))));
  EXPECT_THAT(with({"explain"}), AllOf(HasSubstr("processor (0) and 1 other: "), HasSubstr("for ii: all 4")));
}

}  // namespace
}  // namespace lacuna::test::command_test

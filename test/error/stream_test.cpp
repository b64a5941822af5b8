// lacuna stream: what it does with good updates, and what it says of bad ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::stream_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class StreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("G.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 2.0\n2 3 1.0\n");
    folder_.write("x.tns", "1 1\n2 1\n3 1\n4 1\n");
  }

  Ended stream(const std::string& updates, const std::vector<std::string>& more,
               const std::string& format = "G:dense,btree") {
    folder_.write("updates.txt", updates);
    std::vector<std::string> arguments = {LACUNA_BINARY, "stream",  "y(i) = G(i,j) * x(j)",
                                          "-f",          format,    "-i",
                                          "G=G.mtx",     "-i",      "x=x.tns",
                                          "-f",          "x:dense", "-f",
                                          "y:dense",     "-u",      "updates.txt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, folder_.path());
  }

  std::string refusal(const std::string& updates, const std::string& format = "G:dense,btree") {
    const Ended ended = stream(updates, {}, format);
    EXPECT_EQ(ended.code, 2) << ended.error;
    EXPECT_THAT(ended.error, StartsWith("lacuna: error: "));
    return ended.error;
  }

  TemporaryFolder folder_;
};

TEST_F(StreamTest, EvaluatesAfterEachBatch) {
  const std::string updates = "# a comment\n+ 1 1 3\n= 2 3 4\n\n+ 3 4 1.5\n- 1 1\n- 1 2\n";
  const Ended ended = stream(updates, {"--every", "2", "-o", "y=y.tns", "-o", "G=out.tns"});
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_THAT(ended.output, ContainsRegex("batch 1: 2 updates \\(0 inserted, 0 erased\\) in .*norm 6.40312"));
  EXPECT_THAT(ended.output, ContainsRegex("batch 2: 2 updates \\(1 inserted, 1 erased\\) in .*norm 4.272"));
  EXPECT_THAT(ended.output, ContainsRegex("batch 3: 1 updates \\(0 inserted, 0 erased\\)"));
  EXPECT_THAT(ended.output, Not(HasSubstr("batch 4")));
  EXPECT_THAT(folder_.read("out.tns"), HasSubstr("2 3 4\n3 4 1.5\n"));
  EXPECT_THAT(folder_.read("y.tns"), HasSubstr("2 4\n3 1.5\n"));
}

TEST_F(StreamTest, ChangesTheResultByWhatABatchChanges) {
  const std::string updates = "+ 1 1 3\n= 2 3 4\n+ 3 4 1.5\n- 1 1\n- 1 2\n+ 1 2 5\n";
  const Ended ended = stream(updates, {"--every", "2", "--incremental", "--check", "-o", "y=y.tns"});
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_THAT(ended.output, HasSubstr("changes by dy(i) = dG(i,j) * x(j)"));
  EXPECT_THAT(ended.output, ContainsRegex("kernels of updates prepared in .*\nbatch 1: 2 updates .* norm 6.40312"));
  EXPECT_THAT(ended.output, ContainsRegex("batch 2: 2 updates \\(1 inserted, 1 erased\\) in .*norm 4.272"));
  EXPECT_THAT(folder_.read("y.tns"), HasSubstr("1 5\n2 4\n3 1.5\n"));
}

TEST_F(StreamTest, EvaluatesInFullNowAndThen) {
  // 1e17 swallows what is added before it goes, so that changes lose it.
  const std::string updates = "+ 1 2 1e17\n+ 1 3 1\n- 1 2\n+ 2 1 1\n";
  const Ended lost = stream(updates, {"--every", "1", "--incremental", "--check"});
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.error, HasSubstr("after batch 3 the result of the changes is not what the whole statement gives"));
  const Ended renewed = stream(updates, {"--every", "1", "--incremental", "--full-every", "3", "-o", "y=y.tns"});
  EXPECT_EQ(renewed.code, 0) << renewed.error;
  EXPECT_THAT(folder_.read("y.tns"), HasSubstr("1 3\n2 2\n"));
}

TEST_F(StreamTest, RefusesWhatDoesNotChangeInProportion) {
  folder_.write("updates.txt", "+ 1 1 1\n");
  const auto refused = [&](const std::string& statement, std::vector<std::string> more) {
    std::vector<std::string> arguments = {LACUNA_BINARY, "stream",  statement, "-f",         "G:dense,btree",
                                          "-i",          "G=G.mtx", "-u",      "updates.txt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = run_program(arguments, folder_.path());
    EXPECT_EQ(ended.code, 2) << ended.error;
    return ended.error;
  };
  EXPECT_THAT(refused("s = G(i,j) * G(i,k)", {"--incremental"}), HasSubstr("G(i,j) * G(i,k) reads it more than once"));
  EXPECT_THAT(refused("y(i) = abs(G(i,j))", {"--incremental"}), HasSubstr("reads it inside abs"));
  EXPECT_THAT(refused("C(i,j) = 2 * G(i,j)", {"--incremental", "-f", "C:csr"}),
              HasSubstr("C cannot be kept up to date in the format csr"));
  EXPECT_THAT(refused("y(i) = G(i,j)", {"--check"}), HasSubstr("--check is for --incremental"));
}

TEST_F(StreamTest, BadLinesAreNamed) {
  EXPECT_THAT(refusal("+ 1 1 1\n* 1 1 1\n"),
              HasSubstr("updates.txt:2: an update begins with + (add), = (set) or - (er"));
  EXPECT_THAT(refusal("+ 1 1\n"), HasSubstr("updates.txt:1: '+' needs 2 coordinates and a value, but 2 words follow"));
  EXPECT_THAT(refusal("- 1 1 1\n"), HasSubstr("'-' needs 2 coordinates, but 3 words follow it"));
  EXPECT_THAT(refusal("+ 1 x 1\n"), HasSubstr("coordinate 'x' is no integer"));
  EXPECT_THAT(refusal("+ 0 1 1\n"), HasSubstr("coordinate 0 is outside 1 … 3, mode 1"));
  EXPECT_THAT(refusal("- 1 5\n"), HasSubstr("coordinate 5 is outside 1 … 4, mode 2"));
  EXPECT_THAT(refusal("= 1 1 much\n"), HasSubstr("value 'much' is not a number"));
  EXPECT_THAT(refusal("- 1 1\n", "G:btree,dense"), HasSubstr("assign 0 instead"));
}

TEST_F(StreamTest, SaysWhatCanBeUpdated) {
  EXPECT_THAT(refusal("", "G:csr"), HasSubstr("no operand can be updated in its format"));
  const Ended named = stream("+ 1 1 1\n", {"--update", "x"});
  EXPECT_EQ(named.code, 2);
  EXPECT_THAT(named.error, HasSubstr("x cannot be updated in the format dense"));
  const Ended unknown = stream("", {"--update", "z"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("--update names z"));
  const Ended missing = run_program({LACUNA_BINARY, "stream", "y(i) = G(i,j) * x(j)", "-f", "G:dense,btree", "-i",
                                     "G=G.mtx", "-i", "x=dense", "-u", "none.txt"},
                                    folder_.path());
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.error, HasSubstr("there is no file none.txt"));
}

}  // namespace
}  // namespace lacuna::test::stream_test

// What commands report: words, JSON, or nothing; colours on terminals only.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "error/command.h"

namespace lacuna::test::reporting_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string spmv = "'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense ";

class ReportingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 3 4\n3 1 1\n3 3 0\n");
    folder_.write("u.txt", "+ 1 3 5\n= 2 3 1\n- 1 1\n");
  }
  Ended shell(const std::string& line, const std::map<std::string, std::string>& environment = {}) {
    return run_shell(line, folder_.path(), environment);
  }
  /// What `--json -` prints, and nothing else.
  nlohmann::json json(const std::string& arguments) {
    const Ended ended = shell("$L " + arguments + " --json -");
    EXPECT_EQ(ended.code, 0) << arguments << "\n" << ended.error;
    EXPECT_THAT(ended.error, IsEmpty()) << arguments;
    return nlohmann::json::parse(ended.output, nullptr, false);
  }
  TemporaryFolder folder_;
};

/// Each command that reports, by its name.
const std::map<std::string, std::string> commands = {
    {"run", "run " + spmv},
    {"run on a machine", "run " + spmv + "--machine 'Grid(2)' --place 'A: xy -> x'"},
    {"explain", "explain " + spmv},
    {"explain on a machine", "explain " + spmv + "--machine 'Grid(2)' --place 'A: xy -> x'"},
    {"simulate", "simulate " + spmv + "--machine 'Grid(2)' --place 'A: xy -> x'"},
    {"stream", "stream " + spmv + "-f A:dense,btree -u u.txt --every 2"},
    {"export", "export " + spmv + "-o spmv"},
    {"info", "info A.mtx --machine 'Grid(2)' --place 'xy -> x'"},
    {"convert", "convert A.mtx B.tns"},
    {"generate", "generate uniform 5x5 --nnz 4 -o G.mtx"},
    {"levels", "levels"},
    {"a level", "levels btree"},
    {"demo", "demo --size 50"}};

TEST_F(ReportingTest, EveryReportIsAJsonDocument) {
  for (const auto& [name, arguments] : commands) {
    const nlohmann::json report = json(arguments);
    EXPECT_FALSE(report.is_discarded()) << name;
    EXPECT_FALSE(report.empty()) << name;
  }
}

TEST_F(ReportingTest, ReportsGoToAFileBesideTheWords) {
  for (const auto& [name, arguments] : commands) {
    const Ended ended = shell("$L " + arguments + " --json report.json");
    EXPECT_EQ(ended.code, 0) << name << ended.error;
    EXPECT_THAT(ended.output, Not(IsEmpty())) << name;
    EXPECT_FALSE(nlohmann::json::parse(folder_.read("report.json"), nullptr, false).is_discarded()) << name;
  }
}

TEST_F(ReportingTest, QuietCommandsPrintNothing) {
  for (const auto& [name, arguments] : commands) {
    const Ended ended = shell("$L " + arguments + " -q");
    EXPECT_EQ(ended.code, 0) << name << ended.error;
    EXPECT_EQ(ended.output + ended.error, "") << name;
  }
  EXPECT_EQ(folder_.read("B.tns"), "1 1 2\n2 3 4\n3 1 1\n3 3 0\n");
}

TEST_F(ReportingTest, MistakesAreSaidByQuietCommandsToo) {
  const Ended ended = shell("$L run 'y(i) = A(i,j' -q");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.error, HasSubstr("lacuna: error: "));
}

TEST_F(ReportingTest, TheNumbersAreThoseOfTheWords) {
  const nlohmann::json info = json("info A.mtx");
  EXPECT_EQ(info["dimensions"], (std::vector<int>{3, 3}));
  EXPECT_EQ(info["entries"], 4);
  EXPECT_EQ(info["slices"][0]["most"], 2);
  EXPECT_EQ(json("run " + spmv)["result"]["nnz"], 3);
  const nlohmann::json stream = json("stream " + spmv + "-f A:dense,btree -u u.txt --every 2");
  ASSERT_EQ(stream["batches"].size(), 2U);
  EXPECT_EQ(stream["batches"][0]["inserted"], 1);
  EXPECT_EQ(stream["batches"][1]["erased"], 1);
  EXPECT_EQ(stream["operand"]["nnz"], 4);
  const nlohmann::json explained = json("explain " + spmv);
  EXPECT_EQ(explained["steps"][0]["loop"], "for i");
  EXPECT_EQ(explained["steps"][0]["iterations"], 3);
  EXPECT_EQ(json("info A.mtx --machine 'Grid(3)' --place 'xy -> x'")["placed"]["parts"][2]["entries"], 2);
  EXPECT_EQ(json("levels btree")["functions"]["insert"], true);
  EXPECT_EQ(json("export " + spmv + "-o out/spmv")["files"][0], "out/spmv.c");
  EXPECT_EQ(json("demo --size 50")["kernels"].size(), 3U);
}

TEST_F(ReportingTest, TwoThingsOnStandardOutputAreRefused) {
  for (const std::string& arguments :
       {"run " + spmv + "-o y=-", std::string("convert A.mtx -"), std::string("generate uniform 5x5 --nnz 4 -o -"),
        "stream " + spmv + "-f A:dense,btree -u u.txt -o y=-", "explain " + spmv + "--svg -",
        std::string("info A.mtx --svg -"), std::string("info A.mtx --draw -")}) {
    const Ended ended = shell("$L " + arguments + " --json -");
    EXPECT_EQ(ended.code, 2) << arguments;
    EXPECT_THAT(ended.error, HasSubstr("--json - prints on standard output, and so does")) << arguments;
  }
}

TEST_F(ReportingTest, PicturesGoToStandardOutput) {
  for (const char* option : {"--svg -", "--draw -"})
    EXPECT_THAT(shell(std::string("$L info A.mtx ") + option).output, StartsWith("<svg")) << option;
}

TEST_F(ReportingTest, AFolderThatIsMissingIsNamed) {
  const Ended ended = shell("$L info A.mtx --json missing/report.json");
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.error, HasSubstr("missing"));
}

TEST_F(ReportingTest, ConversionsMayDropZeros) {
  EXPECT_EQ(shell("$L convert A.mtx B.tns --drop-zeros").code, 0);
  EXPECT_EQ(folder_.read("B.tns"), "1 1 2\n2 3 4\n3 1 1\n");
}

// `script` of util-linux gives a program a terminal.
TEST_F(ReportingTest, ColoursAreForTerminalsThatShowThem) {
  const std::string mistake = "script -qec '$L rnu' /dev/null";
  EXPECT_THAT(shell(mistake, {{"TERM", "xterm"}}).output, HasSubstr("\033[1;31merror:\033[0m"));
  EXPECT_THAT(shell(mistake, {{"TERM", "dumb"}}).output, AllOf(HasSubstr("error:"), Not(HasSubstr("\033["))));
  EXPECT_THAT(shell(mistake, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}).output,
              AllOf(HasSubstr("error:"), Not(HasSubstr("\033["))));
  EXPECT_THAT(shell("$L rnu", {{"TERM", "xterm"}}).error, AllOf(HasSubstr("error:"), Not(HasSubstr("\033["))));
}

}  // namespace
}  // namespace lacuna::test::reporting_test

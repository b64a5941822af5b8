// What goes wrong on one rank of several: all end within seconds, with one message, as the command does by itself.

#include <chrono>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::ranks_test {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const Words spmv = {LACUNA_BINARY, "run", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "-i", "x=x.tns"};
const Words distributed = {"--machine", "Grid(2)", "-s", "distribute({i},{io},{ii},M)"};

/// As root, too; and what Open MPI never frees is none of our leaks.
const std::map<std::string, std::string> environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                                        {"ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1"}};

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class RanksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 2.5\n");
    folder_.write("x.tns", "1 2\n2 4\n3 6\n");
  }

  /// Rank 0 runs the first, rank 1 the second.
  Ended run(const Words& first, const Words& second) const {
    const auto begin = std::chrono::steady_clock::now();
    const Words all = Words{"/usr/bin/timeout", "60", LACUNA_MPIRUN, "--oversubscribe", "-n", "1"} + first +
                      Words{":", "-n", "1"} + second;
    Ended ended = run_program(all, folder_.path(), environment);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    return ended;
  }
  static int messages(const Ended& ended) {
    int count = 0;
    for (std::size_t at = ended.error.find("lacuna: error: "); at != std::string::npos;
         at = ended.error.find("lacuna: error: ", at + 1))
      ++count;
    return count;
  }
  /// Two ranks say this, and find the first entries of y that one process finds.
  void expect_entries_of_one(const Words& command, const std::string& said) const {
    const Ended by_one = run_program(command, folder_.path(), environment);
    const Ended by_two = run(command, command);
    EXPECT_EQ(by_two.code, 0) << by_two.error;
    EXPECT_THAT(by_two.output, HasSubstr(said));
    const std::size_t at = by_one.output.find("  y(0) = ");
    ASSERT_NE(at, std::string::npos) << by_one.output;
    EXPECT_THAT(by_two.output, HasSubstr(by_one.output.substr(at, by_one.output.find("2-norm") - at)));
  }
  /// One message that says this, and the exit code.
  static void expect(const Ended& ended, int code, const std::string& message) {
    EXPECT_EQ(ended.code, code);
    EXPECT_THAT(ended.error, HasSubstr(message));
    EXPECT_EQ(messages(ended), 1) << ended.error;
  }

  TemporaryFolder folder_;
};

TEST_F(RanksTest, ComputeWhatOneProcessDoes) {
  const Ended ended = run(spmv + distributed + Words{"--verify"}, spmv + distributed + Words{"--verify"});
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_THAT(ended.output, HasSubstr("verified against the reference evaluator\n2 tasks in 1 step, by 2 ranks\n"));
}

TEST_F(RanksTest, ReadPlacedFilesByParts) {
  const Words placed = {"--machine", "Grid(2)", "--place",  "A: xy -> x", "--place",   "x: x -> x",
                        "-d",        "j=3",     "--verify", "-o",         "A=copy.mtx"};
  const Ended ended = run(spmv + placed, spmv + placed);
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_THAT(ended.output, HasSubstr("A: 2 x 3, float64, csr, 2 stored"));
  EXPECT_THAT(ended.output, HasSubstr("in 2 parts"));
  EXPECT_THAT(ended.output, HasSubstr("verified against the reference evaluator\n2 tasks in 1 step, by 2 ranks\n"));
  EXPECT_THAT(folder_.read("copy.mtx"), HasSubstr("2 3 2.5"));
}

/// Nobody has all of a result that is printed, and its first entries may be anybody's.
TEST_F(RanksTest, PrintTheFirstEntriesOfAResultInParts) {
  folder_.write("B.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 1.5\n2 1 2.5\n");
  const Words twice = {LACUNA_BINARY, "run",     "C(i,j) = 2 * B(i,j)", "-i", "B=B.mtx", "-f", "B:csc", "-f",
                       "C:csc",       "--place", "B: xy -> x"};
  const Ended ended = run(twice, twice);  // without --machine, each rank is a processor
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_THAT(ended.output, HasSubstr("C: 2 x 3, float64, csc, 2 stored, "));
  EXPECT_THAT(ended.output, HasSubstr(" in 2 parts\n  C(1,0) = 5\n  C(0,2) = 3\n  2-norm 5.83095189485\n2 tasks"));
}

TEST_F(RanksTest, AnotherSeedOnOneRankIsRefused) {
  const Words dense = {LACUNA_BINARY, "run",     "y(i) = A(i,j)", "-i",        "A=dense",
                       "-d",          "i=7,j=5", "--place",       "A: xy -> x"};
  expect(run(dense, dense + Words{"--seed", "5"}), 2, "rank 0 is at '--seed 1', and rank 1 at '--seed 5'");
}

/// Also of the same size.
TEST_F(RanksTest, AnotherFileOnOneNodeIsRefused) {
  folder_.write("B.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.5\n2 3 3.5\n");
  const Words placed = spmv + Words{"--place", "A: xy -> x"};
  const Words linked = {"/bin/sh", "-c",
                        R"(mkdir -p node && cp B.mtx node/A.mtx && cp x.tns node && cd node && exec "$0" "$@")"};
  expect(run(placed, linked + placed), 2, "rank 0 is at 'A.mtx with bytes of the hash ");
}

TEST_F(RanksTest, MakeWhatIsDenseByParts) {
  const Words dense = {LACUNA_BINARY, "run",     "y(i) = A(i,j) * x(j)",
                       "-i",          "A=dense", "-i",
                       "x=dense",     "-d",      "i=7,j=5",
                       "--machine",   "Grid(3)", "--place",
                       "A: xy -> x",  "--place", "x: x -> x",
                       "--verify"};
  expect_entries_of_one(dense, "A: 7 x 5, float64, dense, 35 stored, 280 B in 3 parts\n");
}

/// Also where only all entries together say what one of them is.
TEST_F(RanksTest, GenerateByParts) {
  for (const char* source :
       {"rmat:90x80,nnz=500", "random:90x80,0.8", "skewed:90x80,nnz=300", "banded:90x80,band=3", "stencil2d:9x8"}) {
    const Words generated = {LACUNA_BINARY,
                             "run",
                             "y(i) = A(i,j) * x(j)",
                             "-i",
                             std::string("A=") + source,
                             "-i",
                             "x=dense",
                             "--machine",
                             "Grid(3)",
                             "--place",
                             "A: xy -> x",
                             "--place",
                             "x: x -> x",
                             "--verify"};
    expect_entries_of_one(generated, " in 3 parts\n");
  }
  const auto with = [](const char* source) {
    return Words{LACUNA_BINARY, "run", "y(i) = A(i,j)", "-i", std::string("A=") + source, "--place", "A: xy -> x"};
  };
  const Words many = with("rmat:9x8,nnz=500");
  expect(run(many, many), 2, "lacuna: error: 500 entries were asked for, but 9 x 8 has only 72");
  expect(run(with("rmat:9x8,nnz=50"), with("rmat:9x8,nnz=40")), 2, "rank 0 is at 'rmat:9x8,");
}

TEST_F(RanksTest, SayHowLongTheyTake) {
  const Words timed = spmv + Words{"--place", "A: xy -> x", "--time", "3"};
  const Ended summary = run(timed, timed);
  EXPECT_EQ(summary.code, 0) << summary.error;
  EXPECT_THAT(summary.output, HasSubstr(" (with planning and compiling), "));
  EXPECT_THAT(summary.output, HasSubstr("over 3 runs more: median "));
  const Ended report = run(timed + Words{"--json", "-"}, timed + Words{"--json", "-"});
  EXPECT_EQ(report.code, 0) << report.error;
  for (const char* said : {R"-("machine": "Grid(2)")-", R"("ranks": 2)", R"("runs": 3)", R"("parts": 2)", R"("moved")"})
    EXPECT_THAT(report.output, HasSubstr(said));
}

TEST_F(RanksTest, AMistakeInAFileThatIsReadByPartsIsSaidOnce) {
  const Words placed = {"--machine", "Grid(2)", "--place", "A: xy -> x"};
  std::string text = "%%MatrixMarket matrix coordinate real general\n200 3 200\n";
  for (int i = 1; i < 200; ++i) text += std::to_string(i) + " 2 1.5\n";
  folder_.write("A.mtx", text + "200 4 1\n");
  expect(run(spmv + placed, spmv + placed), 2,
         "lacuna: error: A.mtx:202: the column is 4, outside 1…3\n  200 4 1\n      ^\n");
  folder_.write("A.mtx", text);
  expect(run(spmv + placed, spmv + placed), 2,
         "lacuna: error: A.mtx:2: 200 entries are announced, but the file holds 199");
  expect(run(spmv + placed, {LACUNA_BINARY, "info", "A.mtx"}), 2, "the ranks do not run the same program");
}

TEST_F(RanksTest, AnErrorOfAllIsSaidOnce) {
  const Words wrong = {LACUNA_BINARY, "run", "y(i) = A(i,j) * x(k)", "-i", "A=A.mtx", "-i", "x=missing.tns"};
  expect(run(wrong, wrong), 2, "lacuna: error: there is no file missing.tns");
}

TEST_F(RanksTest, AFileThatIsMissingOnOneEndsAll) {
  const Words missing = {LACUNA_BINARY, "run", "y(i) = A(i,j) * x(j)", "-i", "A=gone.mtx", "-i", "x=x.tns"};
  expect(run(spmv, missing), 2, "on rank 1 of 2: there is no file gone.mtx");
  expect(run(missing, spmv), 2, "on rank 0 of 2: there is no file gone.mtx");
}

TEST_F(RanksTest, ABadScheduleOnOneEndsAll) {
  const Words bad = {"--machine", "Grid(2)", "-s", "distribute({q},{io},{ii},M)"};
  expect(run(spmv + distributed, spmv + bad), 2, "on rank 1 of 2: distribute: q has no loop");
  const Words bad_inside = {"--machine", "Grid(2)", "-s", "distribute({i},{io},{ii},M), vectorize(j)"};
  expect(run(spmv + bad_inside, spmv + bad_inside), 2, "vectorize");
}

TEST_F(RanksTest, CallsThatDifferEndAll) {
  const Words transposed = {LACUNA_BINARY, "run", "y(i) = A(j,i) * x(j)", "-i", "A=A.mtx", "-i", "x=x.tns"};
  folder_.write("x.tns", "1 2\n2 4\n");
  folder_.write("A.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 2 2.5\n");
  expect(run(spmv, transposed), 2, "rank 0 is at 'y(i) = A(i,j) * x(j)', and rank 1 at 'y(i) = A(j,i) * x(j)'");
  const Words placed = {"--machine", "Grid(2)", "--place", "A: xy -> x"}, rows = {"-s", "distribute({i},{io},{ii},M)"};
  expect(run(spmv + placed + rows, spmv + placed), 2, "and rank 1 at 'no schedule'");
  expect(run(spmv, {LACUNA_BINARY, "info", "A.mtx"}), 2, "and rank 1 at 'the end of the command'");
  expect(run({LACUNA_BINARY, "info", "A.mtx"}, spmv), 2, "rank 0 is at 'the end of the command'");
}

/// A file that is read by parts goes to others as it is asked for here.
TEST_F(RanksTest, TensorsThatAreReadOtherwiseEndAll) {
  const Words placed = {"--machine", "Grid(2)", "--place", "A: xy -> x", "--place", "y: x -> x"};
  const auto differ = [&](const Words& first, const Words& second, const std::string& message) {
    expect(run(spmv + placed + first, spmv + placed + second), 2, "the ranks do not run the same program: " + message);
  };
  differ({"-f", "A:csr"}, {"-f", "A:dense"}, "rank 0 is at 'A as csr', and rank 1 at 'A as dense'");
  differ({"-f", "A:dense"}, {"-f", "A:csr"}, "rank 0 is at 'A as dense', and rank 1 at 'A as csr'");
  differ({}, {"-t", "A:float32"}, "rank 0 is at 'A of float64', and rank 1 at 'A of float32'");
  const Words larger = {"--machine", "Grid(3)", "--place", "A: xy -> x", "--place", "y: x -> x"};
  expect(run(spmv + placed, spmv + larger), 2, "on Grid(2)', and rank 1 at 'A: xy -> x on Grid(3)'");
}

TEST_F(RanksTest, WhatOneAloneWantsEndsAll) {
  const Words placed = {"--machine", "Grid(2)", "--place", "A: xy -> x"};
  for (const Words& wanted :
       {Words{"--verify"}, Words{"-o", "A=copy.mtx"}, Words{"--time", "2"}, Words{"--json", "-"}}) {
    const std::string text = wanted.size() == 1 ? wanted[0] : wanted[0] + " " + wanted[1];
    expect(run(spmv + placed + wanted, spmv + placed), 2, "rank 0 is at '" + text + "', and rank 1 at nothing");
    expect(run(spmv + placed, spmv + placed + wanted), 2, "rank 0 is at nothing, and rank 1 at '" + text + "'");
  }
}

/// Each rank finds for itself that it cannot compile.
TEST_F(RanksTest, WhatFailsOnAllIsSaidOnce) {
  const Words no_compiler = {"/usr/bin/env", "LACUNA_CACHE=0", "LACUNA_CC=/nowhere/cc"};
  expect(run(no_compiler + spmv + distributed, no_compiler + spmv + distributed), 1, "there is no C compiler");
}

TEST_F(RanksTest, WithoutMpiEndsAll) {
  const Words no_mpi = {"/usr/bin/env", "LACUNA_MPICC=/nowhere/mpicc"};
  const Ended ended = run(no_mpi + spmv + distributed, no_mpi + spmv + distributed);
  EXPECT_NE(ended.code, 0);
  EXPECT_THAT(ended.error, testing::HasSubstr("there is no '/nowhere/mpicc', by which Lacuna finds MPI: install MPI"));
}

TEST_F(RanksTest, OneThatReadsAloneWhatAllHoldIsToldSo) {
  expect(run({LACUNA_LONE_READER}, {LACUNA_LONE_READER}), 2,
         "rank 0 is at 'reading a partitioned tensor', and rank 1 at 'the end of the program'");
}

/// mpirun takes 0 for a good end, and does not tell those that wait in MPI.
TEST_F(RanksTest, OneThatEndsWellBeforeItBeginsEndsAll) {
  const std::string message = "lacuna: error: a rank ended before it began MPI";
  expect(run(spmv, {"/bin/true"}), 1, message);
  expect(run({"/bin/true"}, spmv), 1, message);
  expect(run(Words{"/bin/sh", "-c", R"(sleep 1; exec "$0" "$@")"} + spmv, {"/bin/true"}), 1, message);
}

TEST_F(RanksTest, OneThatEndsBadlyBeforeItBeginsEndsAll) {
  for (const char* end : {"exit 3", "kill -ABRT $$"}) {
    const Ended ended = run(spmv, {"/bin/sh", "-c", end});
    EXPECT_NE(ended.code, 0) << end;
    EXPECT_NE(ended.code, 124) << end;  // of the time limit
  }
}

TEST_F(RanksTest, OneThatBeginsLateIsWaitedFor) {
  const Words late = {"/bin/sh", "-c", R"(sleep 5; exec "$0" "$@")"};
  const Ended ended = run(spmv, late + spmv);
  EXPECT_EQ(ended.code, 0) << ended.error;
  EXPECT_THAT(ended.output, HasSubstr("y(1) = 15"));
}

/// As by Ctrl-C, by the system, and by a rank that fails: what is shared and what is temporary goes with the ranks.
TEST_F(RanksTest, ThatAreStoppedLeaveNothingBehind) {
  const Words slow = {LACUNA_BINARY, "run", "A(i,j) = B(i,k) * C(k,j)", "-i",         "B=dense", "-i",
                      "C=dense",     "-d",  "i=1000,j=1000,k=1000",     "--interpret"};
  std::map<std::string, std::string> here = environment;
  for (const char* kind : {"shared", "temporary"}) std::filesystem::create_directory(folder_.path() / kind);
  here["OMPI_MCA_btl_vader_backing_directory"] = (folder_.path() / "shared").string();
  here["TMPDIR"] = (folder_.path() / "temporary").string();
  const auto stopped = [&](const Words& who, const Words& other) {
    return run_program(who + Words{LACUNA_MPIRUN, "--oversubscribe", "-n", "1"} + slow + Words{":", "-n", "1"} + other,
                       folder_.path(), here);
  };
  const auto signal = [](const char* name) { return Words{"/usr/bin/timeout", "--foreground", "-s", name, "3"}; };
  const std::vector<std::pair<Words, Words>> ways = {
      {signal("INT"), slow}, {signal("TERM"), slow}, {{}, signal("ABRT") + slow}, {{}, signal("KILL") + slow}};
  for (const auto& [who, other] : ways) {
    EXPECT_NE(stopped(who, other).code, 0);
    for (const char* kind : {"shared", "temporary"})
      EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / kind))
          << kind << " after " << ::testing::PrintToString(who);
  }
}

TEST_F(RanksTest, OneThatIsKilledEndsAll) {
  const Words slow = {LACUNA_BINARY, "run", "A(i,j) = B(i,k) * C(k,j)", "-i",         "B=dense", "-i",
                      "C=dense",     "-d",  "i=1000,j=1000,k=1000",     "--interpret"};
  const Ended ended = run(slow, Words{"/usr/bin/timeout", "-s", "KILL", "1"} + slow);
  EXPECT_NE(ended.code, 0);
  EXPECT_NE(ended.code, 124);  // of the time limit
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(messages(ended), 0) << ended.error;  // mpirun says it
}

#if !defined(__SANITIZE_ADDRESS__)  // which asks for more address space than this
TEST_F(RanksTest, OneThatRunsOutOfMemoryEndsAll) {
  const Words large = {LACUNA_BINARY, "run", "A(i,j) = x(i) * y(j)", "-i", "x=dense", "-i",
                       "y=dense",     "-d",  "i=10000,j=10000"};
  const Words limited = {"/bin/sh", "-c", R"(ulimit -v 500000; exec "$0" "$@")"};
  expect(run(large, limited + large), 1, "on rank 1 of 2: ");
}

/// With so much, MPI begins, and does not come through: others would wait for it. What it says, and whether it comes
/// through, is up to MPI.
TEST_F(RanksTest, OneWithoutMemoryToBeginEndsAll) {
  const Words all = spmv + distributed;
  for (const int kilobytes : {176000, 180000, 184000, 188000}) {
    const Words limited = {"/bin/sh", "-c", fmt::format(R"(ulimit -v {}; exec "$0" "$@")", kilobytes)};
    const Ended ended = run(all, limited + all);
    EXPECT_NE(ended.code, 124) << kilobytes;  // of the time limit
    EXPECT_EQ(ended.code == 0, ended.output.find("y(1) = 15") != std::string::npos) << kilobytes;
  }
}
#endif

}  // namespace
}  // namespace lacuna::test::ranks_test

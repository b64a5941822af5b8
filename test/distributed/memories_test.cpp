// Threads share the memory of what they belong to, sockets have their own: what moves, and who plays whom.

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::memories_test {
namespace {

const std::map<std::string, std::int64_t> extents = {{"i", 23}, {"j", 19}, {"k", 12}};

Request spmv() { return random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 150}}, {"c", {"dense", -1}}}, extents); }
Request gemm() {
  return random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}}, extents);
}

/// Runs it, compares with the definition, and the messages with those of a simulation.
DistributedReport report_of(const DistributedRequest& request) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(request, &report), "");
  const Simulation simulation = simulate(request, Network());
  EXPECT_EQ(simulation.fetches.messages, report.fetches.messages);
  EXPECT_EQ(simulation.fetches.bytes, report.fetches.bytes);
  EXPECT_EQ(simulation.reductions.messages, report.reductions.messages);
  return report;
}

/// Rows of B, and of a and c with them, on processes and, of each, on what is within.
DistributedRequest rows_within(const std::string& inner) {
  return on_machine(spmv(), "Grid(3),Grid(2)" + inner,
                    {{"a", "x -> x; y -> y"}, {"B", "xy -> x; zw -> z"}, {"c", "x -> x; y -> y"}}, "");
}

TEST(Memories, ThreadsSendEachOtherNothing) {
  const DistributedReport flat =
      report_of(on_machine(spmv(), "Grid(3)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}, ""));
  const DistributedReport threads = report_of(rows_within(" of threads")),
                          sockets = report_of(rows_within(" of sockets"));
  EXPECT_EQ(threads.tasks, 6);
  EXPECT_GT(flat.fetches.messages, 0);
  // Two threads ask for parts of what their process gets: at most twice the messages, from two parts each.
  EXPECT_LT(threads.fetches.messages, sockets.fetches.messages);
  EXPECT_EQ(threads.fetches.bytes, flat.fetches.bytes);  // what both of them need comes once
  EXPECT_LE(threads.fetches.farthest, flat.fetches.farthest);
  EXPECT_EQ(
      report_of(on_machine(spmv(), "Grid(6) of threads", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}, ""))
          .fetches.messages,
      0);
}

/// What several threads add to one entry stays in their memory, too.
TEST(Memories, ThreadsAddUpWhereTheyAre) {
  const std::string by_columns = "distribute({j},{jo},{ji},M)";
  const std::map<std::string, std::string> placed = {{"a", "x -> x"}, {"B", "xy -> y"}, {"c", "x -> x"}};
  EXPECT_EQ(report_of(on_machine(spmv(), "Grid(4) of threads", placed, by_columns)).reductions.messages, 0);
  EXPECT_GT(report_of(on_machine(spmv(), "Grid(4) of sockets", placed, by_columns)).reductions.messages, 0);
}

/// Cannon's algorithm between processes, and rows of a tile on what is within each: another algorithm at another level,
/// under a loop that all go through in turn. What threads compute is where it belongs.
TEST(Memories, TilesShiftBetweenProcesses) {
  const std::map<std::string, std::string> tiles = {{"A", "xy -> xy"}, {"B", "xy -> xy"}, {"C", "xy -> xy"}};
  const std::string cannon =
      "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,M.x), reorder(ko,ii,ji,ki), rotate(ko,{io,jo},kos), "
      "communicate(A,jo), communicate({B,C},kos)";
  const std::string rows = ", distribute({ii},{iio},{iii},M[1])";
  const DistributedReport flat = report_of(on_machine(gemm(), "Grid(2,2)", tiles, cannon));
  const DistributedReport threads = report_of(on_machine(gemm(), "Grid(2,2),Grid(3)", tiles, cannon + rows));
  const DistributedReport sockets = report_of(on_machine(gemm(), "Grid(2,2),Grid(3) of sockets", tiles, cannon + rows));
  EXPECT_EQ(threads.tasks, 12);
  EXPECT_EQ(threads.steps, flat.steps);
  EXPECT_EQ(threads.fetches.messages, flat.fetches.messages);
  EXPECT_EQ(threads.fetches.bytes, flat.fetches.bytes);
  EXPECT_GT(sockets.fetches.bytes, flat.fetches.bytes);
  EXPECT_EQ(threads.fetches.farthest, flat.fetches.farthest);
  EXPECT_EQ(threads.reductions.messages, 0);
  EXPECT_GT(sockets.reductions.messages, 0);
}

/// So do several tasks of one processor.
TEST(Memories, TasksThatNeedTheSameFetchItOnce) {
  const std::map<std::string, std::string> rows = {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}};
  const auto fetched = [&](const std::string& tasks) {
    return report_of(on_machine(spmv(), "Grid(2)", rows, "divide(i,io,ii," + tasks + "), distribute(io)"));
  };
  const DistributedReport two = fetched("2"), eight = fetched("8");
  EXPECT_EQ(eight.tasks, 8);
  EXPECT_GT(two.fetches.messages, 0);
  // Rows are dealt to eight otherwise than the matrix is, so that its entries move, too.
  const LaunchPlan plan = plan_distributed(on_machine(spmv(), "Grid(2)", rows, "divide(i,io,ii,8), distribute(io)"));
  std::int64_t of_vector = 0;
  for (const Transfer& each : plan.steps.front().transfers)
    if (plan.launch.operands[static_cast<std::size_t>(each.operand)].tensor == "c")
      of_vector += distance(plan.machine, each.from, plan.tasks[static_cast<std::size_t>(each.task)].processor);
  EXPECT_EQ(of_vector, 2);
}

/// A copy for all threads of a process is one copy.
TEST(Memories, AreCountedOnce) {
  const std::map<std::string, std::string> placed = {
      {"a", "x -> x; y -> y"}, {"B", "xy -> x; zw -> z"}, {"c", "x -> *; y -> *"}};
  const Simulation threads = simulate(on_machine(spmv(), "Grid(3),Grid(4)", placed, ""), Network());
  const Simulation sockets = simulate(on_machine(spmv(), "Grid(3),Grid(4) of sockets", placed, ""), Network());
  EXPECT_GT(threads.mean_memory, 2 * sockets.mean_memory);  // of 4, but for c
  EXPECT_LT(threads.mean_memory, 4 * sockets.mean_memory);
  EXPECT_EQ(threads.mean_turns, sockets.mean_turns);
}

TEST(Memories, ARankPlaysAllThreadsOfAProcess) {
  const Machine machine = parse_machine("Grid(3),Grid(2,2)");
  for (const int ranks : {1, 2, 3, 5}) {
    for (std::int64_t p = 0; p < machine.processors(); ++p) {
      EXPECT_EQ(rank_of(p, machine, ranks), rank_of(p - p % 4, machine, ranks));
      EXPECT_LT(rank_of(p, machine, ranks), std::min(ranks, 3));
    }
  }
  EXPECT_EQ(rank_of(11, machine, 3), 2);
  EXPECT_EQ(rank_of(11, parse_machine("Grid(3),Grid(2,2) of sockets"), 12), 11);
}

TEST(Memories, AreApartAsTheirProcessesAre) {
  const Machine machine = parse_machine("Grid(5),Grid(2) of sockets,Grid(4)");
  EXPECT_EQ(machine.threads(), 4);
  EXPECT_EQ(machine.memories(), 10);
  EXPECT_EQ(distance(machine, 0, 3), 0);
  EXPECT_EQ(distance(machine, 3, 4), 1);   // the other socket
  EXPECT_EQ(distance(machine, 0, 13), 2);  // of the next process, the other socket
  EXPECT_EQ(distance(machine, 0, 39), 2);  // the process before it, round the ring
  EXPECT_EQ(distance(parse_machine("Grid(7) of threads"), 0, 3), 0);
}

}  // namespace
}  // namespace lacuna::memories_test

// What one processor sends to many, and what many send to one, goes along trees.

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/plan/tree.h"
#include "lacuna/distribute/run/prepare.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::trees_test {
namespace {

/// All processors but a root.
std::vector<std::int64_t> others(const Machine& machine, std::int64_t root) {
  std::vector<std::int64_t> all;
  for (std::int64_t p = 0; p < machine.processors(); ++p)
    if (p != root) all.push_back(p);
  return all;
}

TEST(Trees, ReachEachProcessorOnceFromOneThatHasIt) {
  for (const char* text : {"Grid(1)", "Grid(2)", "Grid(9)", "Grid(4,4)", "Grid(3),Grid(5) of sockets",
                           "Grid(2),Grid(2) of sockets,Grid(3) of sockets"}) {
    const Machine machine = parse_machine(text);
    for (std::int64_t root = 0; root < machine.processors(); ++root) {
      const std::vector<std::int64_t> receivers = others(machine, root);
      std::map<std::int64_t, std::size_t> since = {{root, 0}};  // the round from which on a processor has it
      std::map<std::size_t, std::set<std::int64_t>> senders;
      for (const TreeEdge& edge : tree_of(machine, root, receivers)) {
        const std::int64_t from = edge.parent ? receivers[*edge.parent] : root;
        ASSERT_TRUE(since.count(from) == 1 && since.at(from) <= edge.round) << text;
        EXPECT_TRUE(senders[edge.round].insert(from).second) << text << ": sends twice in a round";
        EXPECT_TRUE(since.emplace(receivers[edge.child], edge.round + 1).second) << text;
      }
      EXPECT_EQ(std::ssize(since), machine.processors()) << text;
      if (machine.levels() > 1) continue;
      EXPECT_EQ(senders.size(), static_cast<std::size_t>(std::ceil(std::log2(machine.processors())))) << text;
    }
  }
}

TEST(Trees, ComeToEachNodeOnce) {
  const Machine machine = parse_machine("Grid(5),Grid(4) of sockets");
  const std::vector<std::int64_t> receivers = others(machine, 6);
  int between_nodes = 0;
  for (const TreeEdge& edge : tree_of(machine, 6, receivers))
    between_nodes += (edge.parent ? receivers[*edge.parent] : 6) / 4 != receivers[edge.child] / 4 ? 1 : 0;
  EXPECT_EQ(between_nodes, 4);
}

TEST(Trees, ReachSeveralOfOneProcessor) {
  const std::vector<TreeEdge> edges = tree_of(parse_machine("Grid(3)"), 0, {1, 1, 2, 1, 0});
  EXPECT_EQ(edges.size(), 5U);
}

Request spmm(const std::string& format, const std::string& other = "dense") {
  return random_request("A(i,j) = B(i,k) * C(k,j)",
                        {{"B", {format, format == "dense" ? -1 : 120}}, {"C", {other, other == "dense" ? -1 : 30}}},
                        {{"i", 40}, {"j", 5}, {"k", 33}}, "dense");
}

/// C is on one processor, and all need it: of a sparse B, each needs the rows of C that its own columns have.
const std::map<std::string, std::string> from_one = {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> 0"}};
/// All contribute to what one has.
const std::map<std::string, std::string> to_one = {{"A", "xy -> 0"}, {"B", "xy -> y"}, {"C", "xy -> x"}};
const std::string along_k = "distribute({k},{ko},{ki},M)";

TEST(Trees, BringTheSame) {
  for (const char* machine : {"Grid(8)", "Grid(9)", "Grid(20)", "Grid(20) of threads"})
    for (const auto& [placed, schedule] : {std::pair(from_one, std::string()), std::pair(to_one, along_k)})
      for (const char* format : {"dense", "csr", "coo"})
        for (const char* other : {"dense", "csr", "bitmap"}) {
          const DistributedRequest request = on_machine(spmm(format, other), machine, placed, schedule);
          const std::string what = fmt::format("{} {} {} {}", machine, schedule, format, other);
          EXPECT_EQ(run_and_compare(request), "") << what;
          EXPECT_EQ(run_by_parts_and_compare(request), "") << what;
        }
}

TEST(Trees, BringTheSameOnMachinesOfSeveralLevels) {
  for (const char* machine : {"Grid(5),Grid(4) of sockets", "Grid(10),Grid(2)"}) {
    const std::map<std::string, std::string> from = {
        {"A", "xy -> x; zw -> z"}, {"B", "xy -> x; zw -> z"}, {"C", "xy -> 0"}};
    EXPECT_EQ(run_and_compare(on_machine(spmm("dense"), machine, from, "")), "") << machine;
    EXPECT_EQ(run_and_compare(on_machine(spmm("dense"), machine, {},
                                         "distribute({k},{ko},{ki},M[0]), distribute({ki},{kio},{kii},M[1])")),
              "")
        << machine;
  }
}

/// Steps follow: what they fetch then does not go along trees.
TEST(Trees, BringTheSameBeforeSteps) {
  for (const char* format : {"dense", "csr"})
    for (const char* depth : {"io", "ko"})
      EXPECT_EQ(run_and_compare(
                    on_machine(spmm(format, format), "Grid(12)", from_one,
                               fmt::format("distribute({{i}},{{io}},{{ii}},M), split(k,ko,ki,11), reorder(ko,ii,ki), "
                                           "communicate(B,io), communicate(C,{})",
                                           depth))),
                "")
          << format << " " << depth;
}

TEST(Trees, BringOtherValuesAgain) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  for (const auto& [placed, schedule] : {std::pair(from_one, std::string()), std::pair(to_one, along_k)})
    for (const char* other : {"dense", "csr"}) {
      DistributedRequest request = on_machine(spmm("dense", other), "Grid(11)", placed, schedule);
      PreparedOnMachine prepared;
      for (int n = 0; n < 5; ++n) {
        Array& values = request.request.operands.at("C").values;
        values = values.copy();
        if (n != 3)
          for (double& each : values.mutable_view<double>()) each = each + n;
        DistributedReport report;
        const DistributedTensor result = prepared.run(engine, request, *test_ranks(), options, &report);
        EXPECT_EQ(report.plans, n == 0 ? 1 : 0);
        if (n == 3) {
          EXPECT_EQ(report.fetches.messages, 0) << "nothing changed: " << schedule << " " << other;
        }
        const Storage got = gathered(result, *test_ranks(), Recipients::First);
        if (test_ranks()->rank() == 0) {
          EXPECT_EQ(wrong(request.request, got).value_or(""), "") << schedule << " " << other << " " << n;
        }
      }
    }
}

/// 4,095 messages, of which no processor sends or gets more than one in each of twelve rounds.
TEST(Trees, TakeAsManyRoundsAsTheMachineDoubles) {
  if (test_ranks()->rank() != 0) return;
  const Request product =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"dense", -1}}, {"c", {"dense", -1}}}, {{"i", 4096}, {"j", 2}});
  const Network network = parse_network("alpha=1us,beta=1GB/s,rate=1e6/s");
  const Simulation one_to_many =
      simulate(on_machine(product, "Grid(4096)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> 0"}}, ""), network);
  EXPECT_EQ(one_to_many.fetches.messages, 4095);
  ASSERT_EQ(one_to_many.steps.size(), 12U);
  double moving = 0;
  for (const SimulatedStep& step : one_to_many.steps) moving += step.moving;
  EXPECT_NEAR(moving, 12 * 1.016e-6, 1e-12);
  const Request sum =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"dense", -1}}, {"c", {"dense", -1}}}, {{"i", 2}, {"j", 4096}});
  const Simulation many_to_one =
      simulate(on_machine(sum, "Grid(4096)", {{"a", "x -> 0"}, {"B", "xy -> y"}, {"c", "x -> x"}},
                          "distribute({j},{jo},{ji},M)"),
               network);
  EXPECT_EQ(many_to_one.reductions.messages, 4095);
  EXPECT_NEAR(many_to_one.reducing, 12 * 1.016e-6, 1e-12);
}

/// Few talk to one directly.
TEST(Trees, AreForMany) {
  const auto steps = [](const std::string& machine) {
    return plan_distributed(on_machine(spmm("dense"), machine, from_one, "")).steps.size();
  };
  EXPECT_EQ(steps("Grid(8)"), 1U);  // seven receivers
  EXPECT_EQ(steps("Grid(9)"), 4U);
  const auto rounds = [](const std::string& machine) {
    return prepare_launch(on_machine(spmm("dense"), machine, to_one, along_k), *nobody()).reduction.rounds.size();
  };
  EXPECT_EQ(rounds("Grid(8)"), 0U);
  EXPECT_EQ(rounds("Grid(9)"), 4U);
}

/// Plans say what is passed on.
TEST(Trees, AreDescribed) {
  if (test_ranks()->rank() != 0) return;
  EXPECT_NE(describe_plan(on_machine(spmm("dense"), "Grid(9)", from_one, "")).find("broadcasts\n"), std::string::npos);
  EXPECT_NE(describe_plan(on_machine(spmm("dense"), "Grid(9)", to_one, along_k)).find("and adds it up\n"),
            std::string::npos);
}

}  // namespace
}  // namespace lacuna::trees_test

// What `simulate` predicts times from. That it counts what a run counts is tested with the runs (random_launch_test).

#include "lacuna/distribute/simulate/simulate.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/simulate/overlap.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::simulate_test {
namespace {

/// A vector of 16 is a dense matrix of 16 x 12 times a vector of 12.
DistributedRequest product(const std::string& machine, const std::map<std::string, std::string>& placed,
                           const std::string& schedule = "") {
  const Request request =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"dense", -1}}, {"c", {"dense", -1}}}, {{"i", 16}, {"j", 12}});
  return on_machine(request, machine, placed, schedule);
}

constexpr const char* network = "alpha=1us,beta=1GB/s,rate=1e6/s";
constexpr double us = 1e-6;

TEST(Simulate, AMessageTakesLatencyAndItsBytesOverTheBandwidth) {
  const Simulation simulation =
      simulate(product("Grid(2)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}), parse_network(network));
  // Each gets 6 numbers, and computes 8 x 12 products.
  ASSERT_EQ(simulation.steps.size(), 1);
  EXPECT_DOUBLE_EQ(simulation.steps[0].moving, 1.048 * us);
  EXPECT_DOUBLE_EQ(simulation.steps[0].computing, 96 * us);
  EXPECT_EQ(simulation.reducing, 0);
  EXPECT_DOUBLE_EQ(simulation.seconds(), 97.048 * us);
}

TEST(Simulate, AProcessorSendsAndReceivesAtTheSameTime) {
  const std::map<std::string, std::string> blocks = {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}};
  // Each sends 2 messages of 4 numbers, and gets as many.
  EXPECT_DOUBLE_EQ(simulate(product("Grid(3)", blocks), parse_network(network)).steps[0].moving, 2 * 1.032 * us);
  // One sends 12 numbers to each of 2 others, which get one message each.
  EXPECT_DOUBLE_EQ(
      simulate(product("Grid(3)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> 0"}}), parse_network(network))
          .steps[0]
          .moving,
      2 * 1.096 * us);
}

TEST(Simulate, ThreadsOfAMemorySendNothing) {
  const Simulation simulation = simulate(
      product("Grid(2) of threads", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}), parse_network(network));
  EXPECT_EQ(simulation.fetches.messages, 0);
  EXPECT_EQ(simulation.steps[0].moving, 0);
  EXPECT_DOUBLE_EQ(simulation.seconds(), 96 * us);
}

TEST(Simulate, ResultsMoveInTheEnd) {
  const Simulation simulation =
      simulate(product("Grid(2)", {{"a", "x -> x"}, {"B", "xy -> y"}, {"c", "x -> x"}}, "distribute({j},{jo},{ji},M)"),
               parse_network(network));
  // Each computes 16 x 6 products, and sends 8 sums to the other.
  EXPECT_EQ(simulation.steps[0].moving, 0);
  EXPECT_DOUBLE_EQ(simulation.reducing, 1.064 * us);
  EXPECT_DOUBLE_EQ(simulation.seconds(), 97.064 * us);
}

/// Two steps, each of which waits for 6 numbers and computes 8 x 6 products.
TEST(Simulate, MessagesOfTheNextStepMoveDuringAStepUnlessToldOtherwise) {
  const DistributedRequest request =
      product("Grid(2)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}},
              "distribute({i},{io},{ii},M), divide(j,jo,ji,2), reorder(io,jo), communicate({c},jo)");
  const auto seconds = [&](const std::string& text) { return simulate(request, parse_network(text)).seconds(); };
  const std::string slow_loops = "alpha=1us,beta=1GB/s,rate=1e6/s", fast_loops = "alpha=1us,beta=1GB/s,rate=1e8/s";
  EXPECT_DOUBLE_EQ(seconds(slow_loops), (1.048 + 48 + 48) * us);
  EXPECT_DOUBLE_EQ(seconds(fast_loops), (1.048 + 1.048 + 0.48) * us);
  EXPECT_DOUBLE_EQ(seconds(slow_loops + ",overlap=no"), (1.048 + 48 + 1.048 + 48) * us);
  EXPECT_DOUBLE_EQ(seconds(fast_loops + ",overlap=no"), (1.048 + 0.48 + 1.048 + 0.48) * us);
}

/// How many bytes a sparse result has is known when it is computed.
TEST(Simulate, AMessageOfUnknownSizeTakesLatency) {
  const Request sum = random_request("C(i,j) = A(i,j) + B(i,j)", {{"A", {"csr", 40}}, {"B", {"csr", 40}}},
                                     {{"i", 16}, {"j", 12}}, "csr");
  const Simulation simulation = simulate(
      on_machine(sum, "Grid(2)", {{"C", "xy -> y"}, {"A", "xy -> x"}, {"B", "xy -> x"}}, "distribute({i},{io},{ii},M)"),
      parse_network(network));
  EXPECT_FALSE(simulation.knows_result);
  EXPECT_EQ(simulation.reductions.messages, 2);
  EXPECT_DOUBLE_EQ(simulation.reducing, 1 * us);
}

/// Entries of a sparse sum are estimated.
TEST(Simulate, TermsOfASumMayCoincide) {
  const auto share = [](const std::string& statement, const Storage& a, const Storage& b) {
    Request request{parse_statement(statement), {{"A", a}, {"B", b}}, csr_format(), {}, {}, {}};
    const std::unique_ptr<Communicator> planner = nobody();
    return share_of_distinct(prepare_launch(on_machine(request, "Grid(2)", {{"A", "xy -> x"}}, ""), *planner));
  };
  const Storage low = build(generate_uniform({500, 40}, 3000, 1), csr_format());
  const Storage by_columns = convert(low, csc_format());
  const Storage other = build(generate_uniform({500, 400}, 3000, 1), csr_format()),
                same_size = build(generate_uniform({500, 400}, 3000, 2), csr_format());
  EXPECT_EQ(share("C(i,j) = A(i,j) + B(i,j)", low, by_columns), 0.5);
  EXPECT_GT(share("C(i,j) = A(i,j) + B(i,j)", other, same_size), 0.95);
  EXPECT_EQ(share("C(i,j) = A(i,j) * B(i,j)", low, low), 1);
}

}  // namespace
}  // namespace lacuna::simulate_test

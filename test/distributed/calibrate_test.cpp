// What ranks measure of themselves. Numbers depend on the machine: only that they are some, and the same on all ranks.

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/exchange/numbers.h"
#include "lacuna/distribute/execute/prepared_on_machine.h"
#include "lacuna/distribute/simulate/calibrate.h"
#include "lacuna/distribute/simulate/overlap.h"
#include "lacuna/distribute/simulate/rehearsal.h"
#include "lacuna/distribute/simulate/shared_processors.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna {
namespace {

void expect_measured(const DistributedRequest& request) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  const Network network = calibrated(engine, request, *test_ranks(), options);
  for (const double each : {network.latency, network.bandwidth, network.rate, network.copying}) {
    EXPECT_TRUE(std::isfinite(each));
    EXPECT_GT(each, 0);
  }
  EXPECT_EQ(network.ranks, test_ranks()->ranks());
  EXPECT_EQ(to_string(parse_network(to_string(network))), to_string(network));
  const std::string mine = to_string(network);
  for (const std::string& other : test_ranks()->gather_all(mine)) EXPECT_EQ(other, mine);
  const double seconds = simulate(request, network).seconds();
  EXPECT_TRUE(std::isfinite(seconds));
  EXPECT_GT(seconds, 0);
}

TEST(Calibrated, MeasuresMessagesCopiesAndKernels) {
  const Request spmv =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 40}}, {"c", {"dense", -1}}}, {{"i", 16}, {"j", 12}});
  expect_measured(on_machine(spmv, "Grid(3)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> x"}}, ""));
  expect_measured(on_machine(spmv, "Grid(4)", {{"B", "xy -> ~(xy)"}}, ""));
  expect_measured(on_machine(spmv, "Grid(2)", {{"B", "xy -> x"}},
                             "distribute({i},{io},{ii},M), divide(j,jo,ji,2), reorder(io,jo), communicate({c},jo)"));
}

/// Asked again and again, between runs of the plan, of one step and of several.
TEST(Calibration, IsAskedAgain) {
  const Request spmv =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 40}}, {"c", {"dense", -1}}}, {{"i", 16}, {"j", 12}});
  for (const char* schedule :
       {"", "distribute({i},{io},{ii},M), divide(j,jo,ji,2), reorder(io,jo), communicate({c},jo)"}) {
    const DistributedRequest request =
        on_machine(spmv, "Grid(3)", {{"a", "x -> x"}, {"B", "xy -> y"}, {"c", "x -> x"}}, schedule);
    Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
    Options options;
    options.target.backend = Target::Backend::Interpreter;
    Calibration calibration(engine, request, *test_ranks(), options);
    PreparedOnMachine prepared;
    for (int n = 0; n < 3; ++n) {
      const Network now = calibration.now();
      for (const double each : {now.latency, now.bandwidth, now.rate, now.copying}) EXPECT_GT(each, 0);
      EXPECT_TRUE(std::isfinite(simulate(request, now).seconds()));
      const std::string mine = to_string(now);
      for (const std::string& other : test_ranks()->gather_all(mine)) EXPECT_EQ(other, mine);
      prepared.run(engine, request, *test_ranks(), options, nullptr);
    }
  }
}

/// Columns of a matrix that one processor has in whole: its rank packs what it sends.
TEST(Rehearsal, PacksWhatIsSent) {
  const Request copy = random_request("A(i,j) = B(i,j)", {{"B", {"dense", -1}}}, {{"i", 16}, {"j", 16}});
  const Rehearsal rehearsal(
      on_machine(copy, "Grid(4)", {{"A", "xy -> y"}, {"B", "xy -> 0"}}, "distribute({j},{jo},{ji},M)"), *test_ranks());
  const auto packs = std::count_if(rehearsal.copied().begin(), rehearsal.copied().end(),
                                   [](const Rehearsal::Copied& c) { return c.way == Rehearsal::Way::Pack; });
  EXPECT_EQ(packs, test_ranks()->ranks() == 1 ? 0 : 1);
  EXPECT_EQ(rehearsal.room_out() > 0, test_ranks()->ranks() > 1 && test_ranks()->rank() == 0);
}

/// Rows of a matrix that lies by columns: each processor joins what it gets.
TEST(Rehearsal, UnpacksWhatHasComeAndCopiesWhatIsItsOwn) {
  const Request spmv =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 80}}, {"c", {"dense", -1}}}, {{"i", 16}, {"j", 12}});
  const Rehearsal rehearsal(
      on_machine(spmv, "Grid(4)", {{"a", "x -> x"}, {"B", "xy -> y"}, {"c", "x -> *"}}, "distribute({i},{io},{ii},M)"),
      *test_ranks());
  const bool is_alone = test_ranks()->ranks() == 1;
  std::set<Rehearsal::Way> ways;
  for (const Rehearsal::Copied& each : rehearsal.copied()) ways.insert(each.way);
  EXPECT_EQ(ways.count(Rehearsal::Way::Within), 1U);
  EXPECT_EQ(ways.count(Rehearsal::Way::Unpack), is_alone ? 0U : 1U);
  EXPECT_EQ(rehearsal.sends(), !is_alone);
  if (is_alone) {
    EXPECT_EQ(rehearsal.room_in() + rehearsal.room_out(), 0U);
  }
}

/// All ranks on one processor take turns.
TEST(SharedProcessors, RanksOfAProcessorTakeTurns) {
  const auto ranks = static_cast<std::size_t>(test_ranks()->ranks());
  std::vector<double> work(ranks);
  std::iota(work.begin(), work.end(), 1.0);
  const double sum = std::accumulate(work.begin(), work.end(), 0.0);
  cpu_set_t before{}, one{};
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  std::int64_t processor = 0;
  while (!CPU_ISSET(processor, &before)) ++processor;
  CPU_SET(gather_numbers(*test_ranks(), {processor})[0][0], &one);
  const SharedProcessors as_started(*test_ranks());
  EXPECT_GE(as_started.time_of(work), work.back());
  EXPECT_LE(as_started.time_of(work), sum);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const SharedProcessors bound(*test_ranks());
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_DOUBLE_EQ(bound.time_of(work), sum);
  EXPECT_EQ(bound.is_shared(), ranks > 1);
}

/// Ranks share what they have to do, and all that moves within one is copied.
TEST(Calibrated, RanksPlayTheProcessors) {
  const Request product = random_request("A(i,k) = B(i,j) * C(j,k)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                                         {{"i", 16}, {"j", 16}, {"k", 16}});
  const DistributedRequest request =
      on_machine(product, "Grid(4)", {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}}, "");
  const auto seconds = [&](const char* network) { return simulate(request, parse_network(network)).seconds(); };
  const double alone = seconds("rate=1e6/s,alpha=1ns,beta=1e6GB/s");
  EXPECT_NEAR(seconds("rate=1e6/s,alpha=1ns,beta=1e6GB/s,ranks=2") / alone, 2, 0.01);
  EXPECT_NEAR(seconds("rate=1e6/s,alpha=1ns,beta=1e6GB/s,ranks=1") / alone, 4, 0.01);
  // One rank sends nothing.
  EXPECT_EQ(seconds("alpha=1s,ranks=1"), seconds("alpha=2s,ranks=1"));
  EXPECT_GT(seconds("alpha=2s,ranks=2"), seconds("alpha=1s,ranks=2"));
}

/// What is used of a copy that is all of a tensor is not copied, if it is one stretch.
TEST(Calibrated, WhatLiesWhereItIsUsedTakesNoTime) {
  const auto moving = [](const std::string& statement, const std::string& schedule) {
    const Request sum = random_request(statement, {{"B", {"dense", -1}}, {"C", {"dense", -1}}}, {{"i", 16}, {"k", 16}});
    const DistributedRequest request =
        on_machine(sum, "Grid(4)", {{"A", "xy -> x"}, {"B", "xy -> *"}, {"C", "xy -> x"}}, schedule);
    double seconds = 0;
    const Simulation simulation = simulate(request, parse_network("copy=1MB/s,ranks=4,again=yes"));
    EXPECT_EQ(simulation.steps.size(), schedule.empty() ? 1 : 2);
    for (const SimulatedStep& step : simulation.steps) seconds += step.moving;
    return seconds;
  };
  EXPECT_EQ(moving("A(i,k) = B(i,k) + C(i,k)", ""), 0);
  EXPECT_GT(moving("A(i,k) = B(k,i) + C(i,k)", ""), 0);
  const std::string in_steps = "distribute({i},{io},{ii},M), split(ii,is,it,2), communicate(A,io), ";
  EXPECT_EQ(moving("A(i,k) = B(i,k) + C(i,k)", in_steps + "communicate({B,C},is)"), 0);
  EXPECT_GT(moving("A(i,k) = B(k,i) + C(i,k)", in_steps + "communicate({B,C},is)"), 0);
}

/// Of a plan that is run again, entries move as values: what is counted is what a kept plan counts.
void expect_counted_again(DistributedRequest request) {
  const auto bytes = [&](const char* network) { return simulate(request, parse_network(network)).fetches.bytes; };
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  PreparedOnMachine prepared;
  for (int n = 0; n < 4; ++n) {
    for (auto& [name, operand] : request.request.operands)
      for (double& v : operand.values.mutable_view<double>()) v += 1;
    DistributedReport report;
    prepared.run(engine, request, *test_ranks(), options, &report);
    if (n != 1) {
      EXPECT_EQ(report.fetches.bytes, bytes(n == 0 ? "again=no" : "again=yes")) << "run " << n;
    }
  }
}

TEST(Calibrated, PlansAreRunAgain) {
  const Request spmv =
      random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 40}}, {"c", {"dense", -1}}}, {{"i", 16}, {"j", 12}});
  expect_counted_again(
      on_machine(spmv, "Grid(3)", {{"a", "x -> x"}, {"B", "xy -> y"}, {"c", "x -> x"}}, "distribute({i},{io},{ii},M)"));
}

/// Entries of a sparse sum are estimated.
TEST(Calibrated, TermsOfASumMayCoincide) {
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

TEST(Calibrated, PlansOfSeveralStepsAreRunAgain) {
  const Request spmm = random_request("A(i,k) = B(i,j) * C(j,k)", {{"B", {"csr", 40}}, {"C", {"dense", -1}}},
                                      {{"i", 16}, {"j", 12}, {"k", 5}});
  expect_counted_again(on_machine(spmm, "Grid(3)", {{"A", "xy -> x"}, {"B", "xy -> y"}, {"C", "xy -> x"}},
                                  "distribute({i},{io},{ii},M), divide(j,jo,ji,M.x), reorder(jo,ii,ji), "
                                  "communicate(B,io), communicate(C,jo)"));
}

}  // namespace
}  // namespace lacuna

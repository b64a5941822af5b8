// Results of which each step completes a part: it is brought to its owners while the next step is computed.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/memory_of_rank.h"
#include "distributed/on_machine.h"
#include "lacuna/distribute/plan/reduction.h"
#include "lacuna/distribute/run/prepare.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::step_results_test {
namespace {

const std::map<std::string, std::string> along_k = {{"B", "xy -> y"}, {"C", "xy -> x"}};

/// Processors share k; blocks of so many rows of the result follow each other.
std::string rows_in_blocks(int rows) {
  return fmt::format(
      "distribute({{k}},{{ko}},{{ki}},M), split(i,io,ii,{}), reorder(ko,io,ii,j,ki), communicate({{A,B}},io)", rows);
}

std::map<std::string, std::string> with_result(const std::string& placed) {
  std::map<std::string, std::string> all = along_k;
  if (!placed.empty()) all["A"] = placed;
  return all;
}

Request product(const std::string& assignment = "=", const std::string& result = "dense",
                const std::string& format = "dense") {
  std::map<std::string, RandomOperand> operands = {{"B", {format, format == "dense" ? -1 : 60}}, {"C", {"dense", -1}}};
  if (assignment == "+=") operands["A"] = {result, result == "dense" ? -1 : 40};
  return random_request("A(i,j) " + assignment + " B(i,k) * C(k,j)", operands, {{"i", 23}, {"j", 6}, {"k", 14}},
                        result);
}

ReductionPlan reduction_of(const DistributedRequest& request) { return prepare_launch(request, *nobody()).reduction; }

TEST(StepResults, AreAddedUp) {
  for (const char* machine : {"Grid(1)", "Grid(2)", "Grid(5)", "Grid(3) of threads"})
    for (const char* placed : {"", "xy -> x", "xy -> y", "xy -> *", "xy -> 0"})
      for (const char* assignment : {"=", "+="})
        for (const int rows : {1, 4, 12, 23})
          for (const char* result : {"dense", "csr"}) {
            const DistributedRequest request =
                on_machine(product(assignment, result, "csr"), machine, with_result(placed), rows_in_blocks(rows));
            const std::string what = fmt::format("{} {} {} {} {}", machine, placed, assignment, rows, result);
            EXPECT_EQ(run_and_compare(request), "") << what;
            EXPECT_EQ(run_by_parts_and_compare(request), "") << what;
          }
}

/// Blocks come round again: each is complete after its last step.
TEST(StepResults, AreAddedUpWhereSeveralStepsAddToABlock) {
  for (const char* order : {"ko,io,kio,ii,j,kii", "ko,kio,io,ii,j,kii"}) {
    const DistributedRequest request =
        on_machine(product(), "Grid(3)", with_result("xy -> x"),
                   fmt::format("distribute({{k}},{{ko}},{{ki}},M), split(i,io,ii,5), split(ki,kio,kii,2), reorder({}), "
                               "communicate(A,io), communicate({{B,C}},kio)",
                               order));
    EXPECT_EQ(run_and_compare(request), "") << order;
  }
}

/// The interpreter's and a kept plan's, run after run, with other values each time.
TEST(StepResults, AreBroughtAgain) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> *"}) {
    DistributedRequest request = on_machine(product(), "Grid(4)", with_result(placed), rows_in_blocks(5));
    PreparedOnMachine prepared;
    std::optional<DistributedTensor> result;
    for (int n = 0; n < 4; ++n) {
      Array& values = request.request.operands.at("B").values;
      values = values.copy();
      for (double& each : values.mutable_view<double>()) each = each + n;
      DistributedReport report;
      prepared.run_into(result, engine, request, *test_ranks(), options, &report);
      EXPECT_EQ(report.plans, n == 0 ? 1 : 0);
      const Storage got = gathered(*result, *test_ranks(), Recipients::First);
      if (test_ranks()->rank() == 0) {
        EXPECT_EQ(wrong(request.request, got).value_or(""), "") << placed;
      }
    }
  }
}

/// A task has two buffers for its blocks, one that it computes and one that leaves; and one for a last block of another
/// size.
TEST(StepResults, TakeTurnsInTwoBuffers) {
  for (const auto& [rows, most] : {std::pair(1, 1U), std::pair(5, 2U)}) {
    const ReductionPlan plan =
        reduction_of(on_machine(product(), "Grid(3)", with_result("xy -> x"), rows_in_blocks(rows)));
    EXPECT_TRUE(plan.ends_early(static_cast<std::size_t>((23 + rows - 1) / rows)));
    std::size_t largest = 0;
    for (const ReductionPlan::Contribution& each : plan.contributions) largest = std::max(largest, each.buffer);
    EXPECT_EQ(largest, most) << rows;
  }
  const ReductionPlan whole =
      reduction_of(on_machine(product(), "Grid(3)", with_result("xy -> x"), rows_in_blocks(23)));
  EXPECT_FALSE(whole.ends_early(1));
}

/// What is a part of the result as it is stays where it was computed.
TEST(StepResults, ThatArePartsKeepTheirMemory) {
  const DistributedRequest request = on_machine(
      product(), "Grid(1)", {}, "divide(i,io,ii,1), distribute(io), split(ii,iio,iii,1), communicate(A,iio)");
  EXPECT_EQ(run_and_compare(request), "");
  const ReductionPlan plan = reduction_of(request);
  ASSERT_EQ(plan.contributions.size(), 23U);
  for (std::size_t k = 0; k < plan.contributions.size(); ++k) EXPECT_EQ(plan.contributions[k].buffer, k);
}

/// Messages and bytes are those of results that move in the end.
TEST(StepResults, MoveTheSame) {
  DistributedReport in_steps, in_the_end;
  const auto request = [](int rows) {
    return on_machine(product(), "Grid(4)", with_result("xy -> *"), rows_in_blocks(rows));
  };
  EXPECT_EQ(run_and_compare(request(5), &in_steps), "");
  EXPECT_EQ(run_and_compare(request(23), &in_the_end), "");
  EXPECT_EQ(in_steps.reductions.bytes, in_the_end.reductions.bytes);
  const Simulation simulation = simulate(request(5), Network());
  EXPECT_EQ(simulation.reductions.bytes, in_steps.reductions.bytes);
  EXPECT_EQ(simulation.reductions.messages, in_steps.reductions.messages);
  // Four of five blocks leave while others are computed.
  double early = 0;
  for (const SimulatedStep& step : simulation.steps) early += step.reducing;
  EXPECT_GT(early, 3 * simulation.reducing);
  EXPECT_LT(simulation.mean_memory, simulate(request(23), Network()).mean_memory);
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps memory that was given back
/// A rank holds two blocks, and its part of the result; not all that it contributes.
TEST(StepResults, TakeTheMemoryOfTwoBlocks) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t n = 3000, k = test_ranks()->ranks(), whole = n * n * 8;
  const Request outer = random_request("A(i,j) = B(i,k) * C(k,j)", {{"B", {"dense", -1}}, {"C", {"dense", -1}}},
                                       {{"i", n}, {"j", n}, {"k", k}});
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const auto most = [&](int rows) {
    const DistributedRequest request =
        on_machine(outer, fmt::format("Grid({})", k), with_result("xy -> x"), rows_in_blocks(rows));
    return most_memory_of([&] { run_distributed(engine, request, *test_ranks()); });
  };
  const std::int64_t in_the_end = most(static_cast<int>(n)), in_blocks = most(100);
  EXPECT_GT(in_the_end, whole);
  EXPECT_LT(static_cast<double>(in_blocks), 0.6 * static_cast<double>(whole));  // MPI keeps some of it
}
#endif

}  // namespace
}  // namespace lacuna::step_results_test

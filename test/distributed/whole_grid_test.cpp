// Statements whose tensors lie nowhere in particular: dealt out over all processors of the machine.

#include <set>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::whole_grid_test {
namespace {

struct Unplaced {
  std::string statement;
  std::map<std::string, RandomOperand> operands;
  bool is_summed_apart = false;  // the result has too few entries for all processors
};

const std::map<std::string, std::int64_t> extents = {{"i", 24}, {"j", 20}, {"k", 18}, {"l", 12}};

const std::vector<Unplaced> statements = {
    {"y(i) = a(i) + b(i)", {{"a", {"dense"}}, {"b", {"compressed", 9}}}},
    {"s = a(i) * b(i)", {{"a", {"dense"}}, {"b", {"dense"}}}, true},
    {"y(i) = A(i,j) * x(j)", {{"A", {"csr", 90}}, {"x", {"dense"}}}},
    {"y(i) = A(i,j) * x(j)", {{"A", {"csc", 90}}, {"x", {"dense"}}}},
    {"y(i) = A(i,j) * x(j)", {{"A", {"dense"}}, {"x", {"compressed", 8}}}},
    {"C(i,k) = A(i,j) * B(j,k)", {{"A", {"dense"}}, {"B", {"dense"}}}},
    {"C(i,k) = A(i,j) * B(j,k)", {{"A", {"csr", 90}}, {"B", {"csr", 80}}}},
    {"C(i,k) = A(i,j) * B(j,k)", {{"A", {"coo", 90}}, {"B", {"dense"}}}},
    {"C(j,i) = A(i,j)", {{"A", {"csr", 90}}}},
    {"C(i,j) = A(i,j) * D(i,k) * E(k,j)", {{"A", {"csr", 90}}, {"D", {"dense"}}, {"E", {"dense"}}}},
    {"T(i,j,k) = S(i,j,l) * M(l,k)", {{"S", {"csf", 200}}, {"M", {"dense"}}}},
    {"A(i,l) = B(i,k,j) * C(k,l) * D(j,l)", {{"B", {"csf", 200}}, {"C", {"dense"}}, {"D", {"dense"}}}},
    {"s = B(i,k,j) * c(j)", {{"B", {"csf", 200}}, {"c", {"dense"}}}, true},
    {"Q(i,j,k,l) = P(i,j,k,l) + R(i,j,k,l)", {{"P", {"csf", 200}}, {"R", {"csf", 150}}}},
    {"m(i,l) = P(i,j,k,l) * w(j,k)", {{"P", {"csf", 200}}, {"w", {"dense"}}}},
};

const std::vector<std::string> machines = {"Grid(4)",     "Grid(6)",     "Grid(2,4)",         "Grid(3,2)",
                                           "Grid(2,2,2)", "Grid(2,1,3)", "Grid(2,2),Grid(2)", "Grid(1,4)"};

DistributedRequest on(const std::string& machine, const Unplaced& s) {
  return on_machine(random_request(s.statement, s.operands, extents), machine, {}, "");
}

/// The processors that compute something.
std::set<std::int64_t> busy(const LaunchPlan& plan) {
  std::set<std::int64_t> all;
  for (const LaunchStep& step : plan.steps)
    for (const Task& task : plan.tasks)
      if (plan.contributes(task, step)) all.insert(task.processor);
  return all;
}

TEST(WholeGrid, IsUsedByStatementsThatArePlacedNowhere) {
  if (test_ranks()->rank() != 0) return;
  for (const Unplaced& s : statements)
    for (const std::string& machine : machines) {
      SCOPED_TRACE(s.statement + " on " + machine);
      const LaunchPlan plan = plan_distributed(on(machine, s));
      EXPECT_EQ(std::ssize(busy(plan)), plan.machine.processors());
    }
}

TEST(WholeGrid, OfManyProcessorsIsUsedByAProduct) {
  if (test_ranks()->rank() != 0) return;
  const Unplaced product{"C(i,k) = A(i,j) * B(j,k)", {{"A", {"dense"}}, {"B", {"dense"}}}};
  const Request request = random_request(product.statement, product.operands, {{"i", 64}, {"j", 10}, {"k", 64}});
  const LaunchPlan plan = plan_distributed(on_machine(request, "Grid(8,8)", {}, ""));
  EXPECT_EQ(std::ssize(busy(plan)), 64);
}

TEST(WholeGrid, ComputesWhatOneProcessorDoes) {
  for (const Unplaced& s : statements)
    for (const std::string& machine : machines)
      EXPECT_EQ(run_and_compare(on(machine, s)), "") << s.statement << machine;
}

/// Every entry of a result is computed in one place, where that keeps the processors busy: nothing has to be added up.
TEST(WholeGrid, MovesNothingWhereTheResultHasEntriesForAll) {
  if (test_ranks()->rank() != 0) return;
  for (const Unplaced& s : statements)
    for (const std::string& machine : machines) {
      SCOPED_TRACE(s.statement + " on " + machine);
      const Simulation simulation = simulate(on(machine, s), {});
      EXPECT_EQ(simulation.fetches.bytes, 0);
      if (!s.is_summed_apart) EXPECT_EQ(simulation.reductions.messages, 0);
      else EXPECT_LT(simulation.reductions.messages, simulation.machine.processors());
    }
}

/// What a processor reads of a product on a square grid are rows of one operand and columns of the other one.
TEST(WholeGrid, DealsAProductOutInTiles) {
  if (test_ranks()->rank() != 0) return;
  for (const char* format : {"dense", "csr"}) {
    const Unplaced product{"C(i,k) = A(i,j) * B(j,k)", {{"A", {format}}, {"B", {format}}}};
    const LaunchPlan plan = plan_distributed(on("Grid(4,2)", product));
    const auto extent = [&](const char* v, const Task& task) {
      return plan.launch.values_of(IndexVar(v), plan.at(task, plan.steps.front())).size();
    };
    for (const Task& task : plan.tasks) {
      EXPECT_EQ(extent("i", task), 6);
      EXPECT_EQ(extent("k", task), 9);
    }
  }
}

/// A result of few entries is added up by the processors that would be idle.
TEST(WholeGrid, IsUsedByAResultWithFewEntries) {
  const Unplaced few{"y(i) = A(i,j) * x(j)", {{"A", {"dense"}}, {"x", {"dense"}}}};
  Request request = random_request(few.statement, few.operands, {{"i", 3}, {"j", 400}});
  const DistributedRequest distributed = on_machine(request, "Grid(4,4)", {}, "");
  EXPECT_EQ(std::ssize(busy(plan_distributed(distributed))), 16);
  EXPECT_EQ(run_and_compare(distributed), "");
}

/// A sum inside of a function is no sum of what processors compute.
TEST(WholeGrid, IsUsedWithoutVariablesThatCannotBeDealtOut) {
  const DistributedRequest request =
      on_machine(random_request("y(i) = sqrt(sum(j, A(i,j)))", {{"A", {"dense"}}}, extents), "Grid(2,3)", {}, "");
  EXPECT_EQ(std::ssize(busy(plan_distributed(request))), 6);
  EXPECT_EQ(run_and_compare(request), "");
}

}  // namespace
}  // namespace lacuna::whole_grid_test

#include "fuzz/faults/faults.h"

#include <algorithm>
#include <iostream>

#include <gtest/gtest.h>

#include "fuzz/statement/draw.h"
#include "fuzz/statement/draw_schedule.h"
#include "fuzz/statement/runner.h"

namespace lacuna::fuzz {
namespace {

/// What CI fuzzes with: the seed of its first part, and as many statements as all parts together.
struct Budget {
  std::uint64_t first_seed;
  int statements;
  std::size_t directives;  // of the schedule, at least; 0: no schedule
};
constexpr Budget plain{1'000'000, 5000, 0};
constexpr Budget scheduled{1'700'000, 1600, 3};

struct Planted {
  Fault fault;
  int planted = 0;  // in so many statements, until it was found
  int found = 0;    // by this statement, counted from 1
};

std::vector<Planted> planted(const std::vector<std::vector<Fault>>& lists) {
  std::vector<Planted> all;
  for (const auto& list : lists)
    for (const Fault& fault : list) all.push_back({fault});
  return all;
}

/// Plants every fault not found yet in the statement's plan, one at a time.
void try_faults(const Problem& problem, int number, Runner& runner, std::vector<Planted>& faults) {
  std::optional<Plan> sound;
  const Outcome outcome = runner.run(problem, [&](const Plan& plan) { sound = plan; });
  if (outcome.bad()) {
    // A statement that is right but runs past the limit tells nothing: a fault in it would, too.
    Runner patient(Target::Backend::Interpreter, JitOptions{});
    const Outcome unlimited = patient.run(problem, [](const Plan&) {});
    ASSERT_FALSE(unlimited.bad()) << unlimited.message;
    return;
  }
  if (!sound || outcome.verdict != Verdict::Agrees) return;
  const Expected expected(problem);
  for (Planted& p : faults) {
    if (p.found > 0) continue;
    Plan plan = *sound;
    if (!p.fault.plant(plan)) continue;
    ++p.planted;
    if (!runner.run(expected, problem.threads, plan).bad()) continue;
    p.found = number;
    std::cout << "statement " << number << " finds: " << p.fault.name << std::endl;
  }
}

/// Plants the faults in the statements of a budget, until each is found.
void expect_found(std::vector<Planted> faults, const Budget& budget) {
  Runner runner(Target::Backend::Interpreter, JitOptions{});
  runner.limit_steps(200'000);
  Rejections rejections;
  const auto missing = [&] {
    return std::any_of(faults.begin(), faults.end(), [](const Planted& p) { return p.found == 0; });
  };
  for (int n = 0; n < budget.statements && missing(); ++n) {
    Random random(budget.first_seed + static_cast<std::uint64_t>(n));
    const Problem problem = budget.directives > 0 ? draw_scheduled_problem(random, rejections, {budget.directives})
                                                  : draw_problem(random, rejections);
    try_faults(problem, n + 1, runner, faults);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const Planted& p : faults) {
    EXPECT_GT(p.found, 0) << p.fault.name << ": planted in " << p.planted << " statements and never found";
  }
}

TEST(PlantedFaults, AreEachFoundByTheStatementsThatCiFuzzesWith) {
  expect_found(planted({expression_faults(), statement_faults(), plan_faults()}), plain);
}

TEST(PlantedFaults, OfSchedulesAreEachFoundByTheSchedulesThatCiFuzzesWith) {
  expect_found(planted({schedule_faults()}), scheduled);
}

}  // namespace
}  // namespace lacuna::fuzz

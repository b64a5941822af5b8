// Statements and schedules drawn at random: whatever they are, estimates are numbers, none below zero.

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "fuzz/statement/draw.h"
#include "fuzz/statement/draw_schedule.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/schedule/cost/estimate.h"

namespace lacuna::drawn_test {
namespace {

bool sound(double number) { return std::isfinite(number) && number >= -1e-6; }

bool sound(const cost::Work& work) {
  return sound(work.operations) && sound(work.bytes_read) && sound(work.bytes_written);
}

/// None where the schedule is refused: directives are drawn one by one, and the program is finished after the last.
std::optional<Scheduled> accepted(const CheckedRequest& checked) {
  try {
    return schedule_as_asked(checked.problem, checked.schedule);
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(EstimatesOfDrawnStatements, AreNumbers) {
  fuzz::Rejections rejections;
  int judged = 0;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    fuzz::Random random(seed);
    fuzz::Problem problem = fuzz::draw_problem(random, rejections);
    if (seed % 2 == 0) problem.schedule = fuzz::draw_schedule(random, problem);
    Options options;
    options.target.threads = problem.threads;
    const CheckedRequest checked = check_request(fuzz::request_of(problem), options);
    const std::optional<Scheduled> scheduled = accepted(checked);
    if (!scheduled) continue;
    ++judged;
    const Scheduled& plan = *scheduled;
    const iteration::Nest nest = iteration::analyze(plan.program);

    const cost::Estimate e = cost::estimate(plan.program, nest, cost::count_operands(plan, checked.problem));

    EXPECT_TRUE(sound(e.total) && sound(e.compulsory_bytes()) && sound(e.result_entries)) << "seed " << seed;
    for (const cost::LoopEstimate& l : e.loops)
      EXPECT_TRUE(sound(l.starts) && sound(l.trips) && sound(l.executions) && sound(l.work)) << "seed " << seed;
  }
  EXPECT_GT(judged, 140);
}

}  // namespace
}  // namespace lacuna::drawn_test

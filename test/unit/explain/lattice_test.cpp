// What an explanation says of loops is what lowering makes of them: the same lattices, for statements drawn at random.

#include <gtest/gtest.h>

#include "fuzz/statement/draw.h"
#include "fuzz/statement/draw_schedule.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/iteration/nest.h"

namespace lacuna {
namespace {

/// As lowering logs it.
std::string lattice_line(const iteration::Nest& nest, const iteration::Loop& l) {
  std::vector<iteration::LevelUse> uses = l.walks.cursors;
  uses.insert(uses.end(), l.walks.drained.begin(), l.walks.drained.end());
  const auto name = [&](int c) { return nest.level_name(uses[static_cast<std::size_t>(c)]); };
  return "forall " + l.var.name() + ": " + l.walks.lattice.to_string(name);
}

TEST(LatticesOfDrawnStatements, AreThoseOfLowering) {
  fuzz::Rejections rejections;
  Jit jit(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.stop_before_code = true;
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    fuzz::Random random(seed);
    fuzz::Problem problem = fuzz::draw_problem(random, rejections);
    if (seed % 4 == 0) problem.schedule = fuzz::draw_schedule(random, problem);
    options.target.threads = problem.threads;
    std::optional<Plan> plan;
    try {
      plan = make_plan(check_request(fuzz::request_of(problem), options), options, jit);
    } catch (const Error&) {
      continue;  // directives are drawn one by one; together they may be refused
    }

    const iteration::Nest nest = iteration::analyze(plan->scheduled.program);

    for (const iteration::Loop& l : nest.loops) {
      if (l.iteration == iteration::Iteration::Pieces) continue;
      EXPECT_NE(plan->lowered.lattices.find(lattice_line(nest, l)), std::string::npos)
          << "seed " << seed << ": " << lattice_line(nest, l) << "\n"
          << concrete::to_string(plan->scheduled.program) << plan->lowered.lattices;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace lacuna

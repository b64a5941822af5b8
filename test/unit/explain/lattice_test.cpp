// What an explanation says of loops is what lowering makes of them: the same lattices, for statements drawn at random.

#include <gtest/gtest.h>

#include "fuzz/statement/draw.h"
#include "fuzz/statement/draw_schedule.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/lower/lattice/lattice.h"
#include "lacuna/schedule/cost/nest.h"

namespace lacuna {
namespace {

/// As lowering logs it.
std::string lattice_line(const cost::Nest& nest, const cost::Loop& l) {
  const std::uint64_t used = l.cursors.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << l.cursors.size()) - 1;
  const auto name = [&](int c) {
    const cost::LevelUse& u = l.cursors[static_cast<std::size_t>(c)];
    return fmt::format("{}{}", nest.paths[static_cast<std::size_t>(u.path)].access.tensor.name(), u.level + 1);
  };
  return "forall " + l.var.name() + ": " + make_lattice(l.formula, used, l.read_once).to_string(name);
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

    const cost::Nest nest = cost::analyze(plan->scheduled.program);

    for (const cost::Loop& l : nest.loops) {
      if (l.iteration == cost::Iteration::Pieces || l.iteration == cost::Iteration::Drain) continue;
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

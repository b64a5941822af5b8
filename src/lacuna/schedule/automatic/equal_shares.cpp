#include "lacuna/schedule/automatic/equal_shares.h"

#include <algorithm>
#include <vector>

#include "lacuna/schedule/problem/tree.h"

// A thread adds up what it has of a row before it adds that to the result, so that there are about as many atomic
// additions as threads and rows together (SpDISTAL, section 2: schedules by non-zeros).
namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Where;

/// The loops around one sum, outermost first; none where there is more than that.
std::vector<IndexVar> loops_of_sum(const concrete::Program& p) {
  std::vector<IndexVar> loops;
  const concrete::Stmt* at = &p.root;
  for (;;) {
    if (const auto* f = std::get_if<Forall>(&(*at)->kind)) {
      loops.push_back(f->var);
      at = &f->body;
    } else if (const auto* w = std::get_if<Where>(&(*at)->kind)) {
      if (!std::holds_alternative<Assign>(w->consumer->kind)) return {};
      at = &w->producer;
    } else {
      return std::holds_alternative<Assign>((*at)->kind) ? loops : std::vector<IndexVar>{};
    }
  }
}

/// The operand whose levels all of the loops walk, in their order, if its rows are uneven.
std::optional<std::string> uneven_operand(const Scheduled& best, const ScheduleProblem& problem) {
  const std::vector<IndexVar> loops = loops_of_sum(best.program);
  if (loops.size() < 2) return std::nullopt;
  std::optional<std::string> found;
  tree::each_assignment(best.program.root, [&](const Assign& a, const auto&) {
    for (const Access& access : accesses(a.rhs)) {
      const auto facts = problem.operands.find(access.tensor.name());
      if (facts == problem.operands.end() || tree::level_variables(best.program, access) != loops) continue;
      const std::vector<double>& rows = facts->second.unevenness;
      if (std::any_of(rows.begin(), rows.end(), [&](double each) { return each >= problem.uneven; }))
        found = access.tensor.name();
    }
  });
  return found;
}

}  // namespace

bool put_on_equal_shares(ScheduleTrials& trials, Schedule& schedule, Scheduled& best) {
  const ScheduleProblem& problem = trials.problem();
  if (problem.entries_a_thread == 0 || rounds_by_order(problem)) return false;
  const std::optional<std::string> operand = uneven_operand(best, problem);
  if (!operand) return false;
  const std::vector<IndexVar> loops = loops_of_sum(best.program);
  const auto fresh = [&](const std::string& wanted) { return tree::fresh_variable(best.program, wanted); };
  Schedule next = schedule;
  const auto add = [&](DirectiveKind kind) { next.directives.push_back({std::move(kind), {}}); };
  std::string fused = loops[0].name();
  for (std::size_t k = 1; k < loops.size(); ++k) {
    const std::string both = fresh("f" + std::to_string(k));
    add(directive::Fuse{fused, loops[k].name(), both});
    fused = both;
  }
  const std::string position = fresh("p"), share = fresh("share"), entry = fresh("entry");
  add(directive::Pos{fused, position, make_expr(Access{TensorVar(*operand, 0), {}})});
  add(directive::Split{position, share, entry, problem.entries_a_thread});
  add(directive::Parallelize{share, concrete::Unit::GpuThread, concrete::Race::Atomics});
  return trials.take(std::move(next), schedule, best);
}

}  // namespace lacuna

#include "lacuna/schedule/automatic/automatic.h"

#include <optional>

#include "lacuna/schedule/apply.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

/// The schedule, if it is legal.
std::optional<Scheduled> try_schedule(const Scheduled& bare, const ScheduleProblem& problem, const Schedule& schedule) {
  try {
    return apply_schedule(bare, problem, schedule);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The outermost loop of the nest that assigns to the result.
const concrete::Forall* outermost_loop(const concrete::Stmt& s) {
  if (const auto* f = std::get_if<concrete::Forall>(&s->kind)) return f;
  const auto* w = std::get_if<concrete::Where>(&s->kind);
  return w == nullptr ? nullptr : outermost_loop(w->consumer);
}

}  // namespace

Scheduled schedule_automatically(const ScheduleProblem& problem) {
  const Scheduled bare = bare_loops(problem);
  const concrete::Forall* outermost = outermost_loop(bare.program.root);
  if (problem.parallel && outermost != nullptr) {
    const Schedule on_threads{{{directive::Parallelize{outermost->var.name()}, {}}}, {}};
    if (auto scheduled = try_schedule(bare, problem, on_threads)) return std::move(*scheduled);
  }
  return apply_schedule(bare, problem, {});
}

}  // namespace lacuna

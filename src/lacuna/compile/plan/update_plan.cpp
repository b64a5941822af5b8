#include "lacuna/compile/plan/update_plan.h"

#include "lacuna/loop/passes.h"

namespace lacuna {

std::shared_ptr<const UpdatePlan> make_update_plan(const UpdateRequest& request, const Options& options, Jit& jit,
                                                   const std::function<void()>& before_compiling) {
  auto plan = std::make_shared<UpdatePlan>();
  plan->lowered = lower_update(request);
  if (request.part == UpdatePart::Entries) plan->needs = needs_of_update(request);
  loop::verify(plan->lowered.module);
  plan->lowered.module = loop::simplify(plan->lowered.module);
  loop::verify(plan->lowered.module);
  if (options.target.backend == Target::Backend::Interpreter) {
    plan->interpreter.emplace(plan->lowered.module);
    return plan;
  }
  plan->source = print_c(plan->lowered.module);
  plan->kernel = jit.load(plan->source.code, plan->source.entry, {}, before_compiling);
  return plan;
}

std::shared_ptr<const UpdatePlan> UpdatePlans::find_or_make(const UpdateRequest& request, const Options& options,
                                                            Jit& jit, const std::function<void()>& before_compiling) {
  const std::scoped_lock lock(mutex_);
  for (const Made& each : made_)
    if (each.request == request && each.backend == options.target.backend) return each.plan;
  made_.push_back({request, options.target.backend, make_update_plan(request, options, jit, before_compiling)});
  return made_.back().plan;
}

}  // namespace lacuna

#include "lacuna/lower/assemble/results.h"

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/support/check.h"

namespace lacuna {

Results::Results(Context& context) {
  for (const concrete::Tensor& result : context.program().results()) all_.push_back(make_assembler(context, result));
}

int Results::passes() const {
  int most = 1;
  for (const auto& each : all_) most = std::max(most, each->passes());
  return most;
}

void Results::enter_pass(int pass, Statements& out) const {
  for (const auto& each : all_) {
    each->count_only(pass + 1 < passes());
    each->enter_pass(pass, out);
  }
}

void Results::leave_pass(Statements& out) const {
  for (const auto& each : all_) each->leave_pass(out);
}

Assembler& Results::of(const TensorVar& result) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each->makes(result); });
  internal_check(found != all_.end(), "{} is no result of the kernel", result.name());
  return **found;
}

std::vector<Assembler*> Results::in(const concrete::Stmt& s) const {
  std::vector<Assembler*> assigned;
  for (const auto& each : all_)
    if (concrete::assigns(s, each->result().var)) assigned.push_back(each.get());
  return assigned;
}

loop::Stmt Results::iteration(const concrete::Forall& f, const Scope& scope,
                              const std::function<loop::Stmt(const Scope&)>& body) const {
  std::function<loop::Stmt(const Scope&)> inside = body;
  for (Assembler* each : in(f.body))
    inside = [each, &f, within = std::move(inside)](const Scope& s) { return each->iteration(f.var, s, within); };
  return inside(scope);
}

}  // namespace lacuna

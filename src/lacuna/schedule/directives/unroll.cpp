#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

Scheduled apply(const Scheduled& before, const directive::Unroll& d) {
  Scheduled after = before;
  const IndexVar v = directives::loop_variable(after.program, d.variable, "unroll");
  if (d.factor < 1 || d.factor > 1024) refuse("unroll", "{} iterations at a time are not between 1 and 1024", d.factor);
  after.program.root = directives::replace_loop(after.program.root, v, [&](const concrete::Forall& f) {
    if (f.how.unit != concrete::Unit::Serial)
      refuse("unroll", "the loop over {} is run by {}; split it and unroll the inner piece", d.variable,
             concrete::name_of(f.how.unit));
    concrete::Execution how = f.how;
    how.unroll = d.factor;
    return concrete::forall(f.var, f.body, how);
  });
  return after;
}

}  // namespace lacuna

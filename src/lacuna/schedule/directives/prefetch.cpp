#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

Scheduled apply(const Scheduled& before, const directive::Prefetch& d) {
  Scheduled after = before;
  const IndexVar v = directives::loop_variable(after.program, d.variable, "prefetch");
  if (d.turns < 1 || d.turns > 1024) refuse("prefetch", "{} iterations ahead are not between 1 and 1024", d.turns);
  after.program.root = directives::replace_loop(after.program.root, v, [&](const concrete::Forall& f) {
    concrete::Execution how = f.how;
    how.prefetch = d.turns;
    return concrete::forall(f.var, f.body, how);
  });
  return after;
}

}  // namespace lacuna

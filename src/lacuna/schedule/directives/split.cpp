#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

/// forall i S  ->  forall io forall ii S
Scheduled apply(const Scheduled& before, const directive::Split& d) {
  const char* name = d.in_pieces ? "divide" : "split";
  if (d.axis)
    refuse(name, "M is the machine that a statement runs on, and this one runs on one processor; write a number");
  Scheduled after = before;
  concrete::Program& p = after.program;
  const IndexVar v = directives::loop_variable(p, d.variable, name);
  const IndexVar outer = directives::new_variable(p, d.outer, name);
  const IndexVar inner = directives::new_variable(p, d.inner, name);
  if (d.outer == d.inner) refuse(name, "the two new variables are both called {}", d.outer);
  if (d.size < 1)
    refuse(name, "the number of {} must be at least 1, not {}", d.in_pieces ? "pieces" : "iterations", d.size);
  p.root = directives::replace_loop(p.root, v, [&](const concrete::Forall& f) {
    return concrete::forall(outer, concrete::forall(inner, f.body, directives::inner_part(f.how)),
                            directives::outer_part(f.how));
  });
  p.provenance.add(concrete::Split{v, outer, inner, d.size, d.in_pieces});
  return after;
}

}  // namespace lacuna

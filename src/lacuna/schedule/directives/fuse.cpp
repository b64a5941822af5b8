#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

/// forall i forall j S  ->  forall f S
Scheduled apply(const Scheduled& before, const directive::Fuse& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  const IndexVar outer = directives::loop_variable(p, d.outer, "fuse");
  const IndexVar inner = directives::loop_variable(p, d.inner, "fuse");
  const IndexVar fused = directives::new_variable(p, d.fused, "fuse");
  p.root = directives::replace_loop(p.root, outer, [&](const concrete::Forall& f) {
    const auto* next = std::get_if<concrete::Forall>(&f.body->kind);
    if (next == nullptr || !(next->var == inner))
      user_error("fuse: the loop over {} is not directly inside that over {}: reorder them first", d.inner, d.outer);
    concrete::Execution how = f.how.unit == concrete::Unit::Serial ? next->how : f.how;
    if (f.how.unit != concrete::Unit::Serial && next->how.unit != concrete::Unit::Serial)
      user_error("fuse: {} and {} are both parallel already: fuse them before they are parallelized", d.outer, d.inner);
    return concrete::forall(fused, next->body, how);
  });
  for (const IndexVar& left : {outer, inner})
    directives::replace_loop(p.root, left, [&](const concrete::Forall& f) -> concrete::Stmt {
      user_error("fuse: {} also has a loop that is not part of a pair {}, {}", f.var.name(), d.outer, d.inner);
    });
  p.provenance.add(concrete::Fuse{outer, inner, fused});
  directives::extent_of(p, fused);
  return after;
}

}  // namespace lacuna

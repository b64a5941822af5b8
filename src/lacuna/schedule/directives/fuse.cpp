#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {

/// forall i forall j S  ->  forall f S
Scheduled apply(const Scheduled& before, const directive::Fuse& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  const IndexVar outer = directives::loop_variable(p, d.outer, "fuse");
  const IndexVar inner = directives::loop_variable(p, d.inner, "fuse");
  for (const IndexVar& v : {outer, inner})
    if (p.provenance.counts_positions(v))
      refuse("fuse", "{} runs over positions; fuse the variables themselves first, then apply pos to the pair",
             v.name());
  const IndexVar fused = directives::new_variable(p, d.fused, "fuse");
  p.root = directives::replace_loop(p.root, outer, [&](const concrete::Forall& f) {
    const auto* next = std::get_if<concrete::Forall>(&f.body->kind);
    if (next == nullptr && contains(tree::loop_variables(f.body), inner))
      refuse("fuse",
             "other statements stand between the loop over {} and that over {}, so they are no pair; fuse loops "
             "directly inside one another",
             d.outer, d.inner);
    if (next == nullptr || !(next->var == inner))
      refuse("fuse", "the loop over {} is not directly inside that over {}: reorder them first", d.inner, d.outer);
    for (const concrete::Forall* each : {&f, next})
      if (!(each->how == concrete::Execution{}))
        refuse("fuse",
               "another directive (parallelize, unroll, prefetch, mergeby) names {} already; put fuse before it",
               each->var.name());
    return concrete::forall(fused, next->body);
  });
  for (const IndexVar& left : {outer, inner})
    directives::replace_loop(p.root, left, [&](const concrete::Forall& f) -> concrete::Stmt {
      refuse("fuse", "{} also has a loop that is not part of a pair {}, {}", f.var.name(), d.outer, d.inner);
    });
  p.provenance.add(concrete::Fuse{outer, inner, fused});
  directives::extent_of(p, fused);
  return after;
}

}  // namespace lacuna

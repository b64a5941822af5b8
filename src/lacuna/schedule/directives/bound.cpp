#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

/// forall i S  ->  forall ib S, where the extent is known to keep the promise
Scheduled apply(const Scheduled& before, const directive::Bound& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  const IndexVar v = directives::loop_variable(p, d.variable, "bound");
  const IndexVar bounded = directives::new_variable(p, d.bounded, "bound");
  const std::int64_t extent = directives::extent_of(p, v);
  const auto promise = [&](bool kept, const char* relation) {
    if (!kept) user_error("bound: {} takes {} values, not {} {}", d.variable, extent, relation, d.size);
  };
  switch (d.kind) {
    case concrete::BoundKind::Min: promise(extent >= d.size, "at least"); break;
    case concrete::BoundKind::Max: promise(extent <= d.size, "at most"); break;
    case concrete::BoundKind::Exact: promise(extent == d.size, "exactly"); break;
  }
  p.root = directives::replace_loop(
      p.root, v, [&](const concrete::Forall& f) { return concrete::forall(bounded, f.body, f.how); });
  p.provenance.add(concrete::Bound{v, bounded, d.size, d.kind});
  return after;
}

}  // namespace lacuna

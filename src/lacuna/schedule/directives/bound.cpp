#include <algorithm>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

namespace {

/// Whether how many values `v` takes depends on how many entries an operand stores: a piece of a given size, or a given
/// number of pieces, does not.
bool is_counted_at_run_time(const concrete::Program& p, const IndexVar& v) {
  const concrete::Derivation* d = p.provenance.made_by(v);
  if (d == nullptr) return false;
  if (std::holds_alternative<concrete::Position>(*d)) return true;
  if (const auto* s = std::get_if<concrete::Split>(d); s != nullptr && (v == s->outer) == s->in_pieces) return false;
  const std::vector<IndexVar> from = concrete::parents(*d);
  return std::any_of(from.begin(), from.end(), [&](const IndexVar& x) { return is_counted_at_run_time(p, x); });
}

}  // namespace

/// forall i S  ->  forall ib S, where the extent is known to keep the promise
Scheduled apply(const Scheduled& before, const directive::Bound& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  const IndexVar v = directives::loop_variable(p, d.variable, "bound");
  const IndexVar bounded = directives::new_variable(p, d.bounded, "bound");
  const std::int64_t extent = directives::extent_of(p, v);
  const bool proved = d.kind == concrete::BoundKind::Max && extent <= d.size;
  if (!proved && is_counted_at_run_time(p, v))
    refuse("bound",
           "{} counts positions, and how many there are is known only when the kernel is run; bound the variable "
           "before pos, or the piece of a split",
           d.variable);
  const auto promise = [&](bool kept, const char* relation) {
    if (!kept) refuse("bound", "{} takes {} values, not {} {}", d.variable, extent, relation, d.size);
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

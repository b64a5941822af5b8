#include "lacuna/schedule/complete/windows.h"

#include <optional>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Derivation;
using concrete::Forall;
using concrete::Provenance;
using concrete::Stmt;
using Bound = std::vector<IndexVar>;

class Resolver {
 public:
  explicit Resolver(const Provenance& provenance) : provenance_(provenance) {}

  Stmt go(const Stmt& s, const Bound& bound) const {
    return concrete::match(
        s, [&](const Forall& f) { return loop(s, f, bound); },
        [&](const concrete::Where& w) { return concrete::where(go(w.consumer, bound), go(w.producer, bound)); },
        [&](const concrete::Assign&) { return s; },
        [&](const concrete::Sequence& q) {
          std::vector<Stmt> statements;
          for (const Stmt& x : q.statements) statements.push_back(go(x, bound));
          return concrete::sequence(std::move(statements));
        });
  }

 private:
  Stmt loop(const Stmt& s, const Forall& f, Bound bound) const {
    const std::optional<IndexVar> whole = finished_by(f.var, bound);
    if (whole) return expand(*whole, f, bound);
    if (const std::optional<Stmt> dealt = dealt_to_threads(f, bound)) return go(*dealt, bound);
    bound.push_back(f.var);
    refuse_strided_positions(bound);
    const Stmt body = go(f.body, bound);
    return body == f.body ? s : concrete::forall(f.var, body, f.how);
  }

  static bool mentions(const Stmt& s, const IndexVar& v) {
    bool found = false;
    tree::each_assignment(s, [&](const concrete::Assign& a, const auto&) {
      const std::vector<IndexVar> read = all_variables(a.rhs);
      found = found || contains(a.target.indices, v) || contains(read, v);
    });
    return found;
  }

  /// The threads of a device take iterations of a loop one by one, each every so many. So a loop over threads around
  /// one over the positions that are its turn, `split(p,steps,thread,32)` with the thread outside, is one over
  /// positions.
  std::optional<Stmt> dealt_to_threads(const Forall& f, const Bound& bound) const {
    const Derivation* d = provenance_.made_by(f.var);
    const auto* s = d == nullptr ? nullptr : std::get_if<concrete::Split>(d);
    const auto* steps = std::get_if<Forall>(&f.body->kind);
    if (s == nullptr || steps == nullptr || f.how.unit != concrete::Unit::GpuThread || s->in_pieces)
      return std::nullopt;
    if (!(f.var == s->inner) || !(steps->var == s->outer) || provenance_.is_known(s->outer, bound)) return std::nullopt;
    const Derivation* of = provenance_.made_by(s->parent);
    const bool is_of_positions = of != nullptr && std::holds_alternative<concrete::Position>(*of);
    if (!is_of_positions || steps->how.unit != concrete::Unit::Serial) return std::nullopt;
    if (mentions(steps->body, s->inner) || mentions(steps->body, s->outer)) return std::nullopt;
    return concrete::forall(s->parent, steps->body, f.how);
  }

  /// Positions are only ever walked: which coordinate the p-th one has is not searched for.
  void refuse_strided_positions(const Bound& bound) const {
    for (const Derivation& d : provenance_.all()) {
      const auto* p = std::get_if<concrete::Position>(&d);
      if (p != nullptr && !contains(bound, p->position) && provenance_.is_known(p->position, bound))
        refuse("pos",
               "the loop over the positions {} inside each tile has to come last: reorder it to be the innermost",
               p->position.name());
    }
  }

  /// The variable whose window is known once `v` is bound, where that window is one stretch.
  std::optional<IndexVar> finished_by(const IndexVar& v, const Bound& bound) const {
    const Derivation* d = provenance_.made_by(v);
    if (d == nullptr) return std::nullopt;
    if (const auto* s = std::get_if<concrete::Split>(d)) {
      if (v == s->outer || !provenance_.is_known(s->outer, bound)) return std::nullopt;
      return finished_by(s->parent, bound).value_or(s->parent);
    }
    if (const auto* b = std::get_if<concrete::Bound>(d)) return finished_by(b->parent, bound).value_or(b->parent);
    if (const auto* p = std::get_if<concrete::Position>(d)) return finished_by(p->parent, bound).value_or(p->parent);
    return v;  // fused from two, whose loops it becomes
  }

  Stmt expand(const IndexVar& whole, const Forall& f, const Bound& bound) const {
    const Derivation* d = provenance_.made_by(whole);
    const auto* fuse = d == nullptr ? nullptr : std::get_if<concrete::Fuse>(d);
    if (fuse == nullptr) {
      Bound inner = bound;
      inner.push_back(whole);
      refuse_strided_positions(inner);
      return concrete::forall(whole, go(f.body, inner), f.how);
    }
    const Stmt nested = concrete::forall(fuse->inner, f.body, directives::inner_part(f.how));
    return go(concrete::forall(fuse->outer, nested, directives::outer_part(f.how)), bound);
  }

  const Provenance& provenance_;
};

}  // namespace

Stmt resolve_windows(const Stmt& s, const Provenance& provenance) { return Resolver(provenance).go(s, {}); }

}  // namespace lacuna

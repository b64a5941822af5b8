#include <algorithm>
#include <set>

#include "lacuna/concrete/program.h"
#include "lacuna/support/check.h"

namespace lacuna::concrete {
namespace {

struct Scope {
  const Provenance* provenance;
  std::vector<IndexVar> bound;
  std::set<TensorVar> produced;
  bool has_loop(const IndexVar& v) const { return std::find(bound.begin(), bound.end(), v) != bound.end(); }
  bool binds(const IndexVar& v) const { return provenance->is_known(v, bound); }
};

void targets_of(const Stmt& s, std::set<TensorVar>& out) {
  match(
      s, [&](const Forall& f) { targets_of(f.body, out); }, [&](const Where& w) { targets_of(w.consumer, out); },
      [&](const Assign& a) { out.insert(a.target.tensor); },
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) targets_of(x, out);
      });
}

void check_expr(const Program& p, const Expr& e, const Scope& scope) {
  for (const IndexVar& v : free_variables(e))
    internal_check(scope.binds(v), "variable {} is used outside its loop", v.name());
  for (const Access& a : accesses(e)) {
    const Tensor& t = p.at(a.tensor);
    internal_check(!t.is_temporary() || scope.produced.count(a.tensor) > 0,
                   "temporary {} is read before it is produced", a.tensor.name());
    internal_check(static_cast<int>(a.indices.size()) == t.format.order(), "{} has another order", a.tensor.name());
  }
}

void check(const Program& p, const Stmt& s, const Scope& scope) {
  match(
      s,
      [&](const Forall& f) {
        internal_check(!scope.has_loop(f.var), "variable {} is bound twice", f.var.name());
        internal_check(p.extents.count(f.var) > 0 || p.provenance.is_derived(f.var), "variable {} has no extent",
                       f.var.name());
        Scope inner = scope;
        inner.bound.push_back(f.var);
        check(p, f.body, inner);
      },
      [&](const Where& w) {
        check(p, w.producer, scope);
        Scope inner = scope;
        targets_of(w.producer, inner.produced);
        check(p, w.consumer, inner);
      },
      [&](const Assign& a) {
        check_expr(p, a.rhs, scope);
        for (const IndexVar& v : a.target.indices)
          internal_check(scope.binds(v), "variable {} is used outside its loop", v.name());
      },
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) check(p, x, scope);
      });
}

}  // namespace

void verify(const Program& p) {
  internal_check(!p.results().empty(), "a program without a result");
  const auto others = static_cast<std::ptrdiff_t>(p.results().size());
  internal_check(
      std::none_of(p.tensors.begin() + others, p.tensors.end(), [](const Tensor& t) { return t.role == Role::Result; }),
      "a result after other tensors");
  check(p, p.root, {&p.provenance, {}, {}});
}

}  // namespace lacuna::concrete

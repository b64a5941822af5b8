#include "lacuna/concrete/rename.h"

namespace lacuna::concrete {

IndexVar Renaming::of(const IndexVar& v) const {
  const auto it = variables.find(v);
  return it == variables.end() ? v : it->second;
}

TensorVar Renaming::of(const TensorVar& t) const {
  const auto it = tensors.find(t);
  return it == tensors.end() ? t : it->second;
}

Access Renaming::of(const Access& a) const {
  Access renamed{of(a.tensor), {}};
  for (const IndexVar& v : a.indices) renamed.indices.push_back(of(v));
  return renamed;
}

Expr Renaming::of(const Expr& e) const {
  if (const auto* a = as<Access>(e)) return make_expr(of(*a), e.where());
  if (const auto* v = as<IndexValue>(e)) return Expr(of(v->var));
  if (const auto* s = as<Sum>(e)) return make_expr(Sum{of(s->var), of(s->body)}, e.where());
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = of(x);
  return with_children(e, operands);
}

Stmt Renaming::of(const Stmt& s) const {
  return match(
      s, [&](const Forall& f) { return forall(of(f.var), of(f.body), f.how); },
      [&](const Where& w) { return where(of(w.consumer), of(w.producer)); },
      [&](const Assign& a) { return assign(of(a.target), of(a.rhs), a.accumulate); },
      [&](const Sequence& q) {
        std::vector<Stmt> all;
        for (const Stmt& x : q.statements) all.push_back(of(x));
        return sequence(std::move(all));
      });
}

Derivation Renaming::of(const Derivation& d) const {
  return std::visit(Overloaded{[&](const Split& s) -> Derivation {
                                 return Split{of(s.parent), of(s.outer), of(s.inner), s.size, s.in_pieces};
                               },
                               [&](const Fuse& f) -> Derivation {
                                 return Fuse{of(f.outer), of(f.inner), of(f.fused)};
                               },
                               [&](const Position& p) -> Derivation {
                                 return Position{of(p.parent), of(p.position), of(p.access)};
                               },
                               [&](const Bound& b) -> Derivation {
                                 return Bound{of(b.parent), of(b.bounded), b.size, b.kind};
                               }},
                    d);
}

Tensor Renaming::of(const Tensor& t) const {
  Tensor renamed = t;
  renamed.var = of(t.var);
  if (t.pattern) renamed.pattern = of(*t.pattern);
  return renamed;
}

}  // namespace lacuna::concrete

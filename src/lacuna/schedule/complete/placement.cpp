#include "lacuna/schedule/complete/placement.h"

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/notation/operators.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/workspaces.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Role;
using concrete::Sequence;
using concrete::Stmt;
using concrete::Where;

/// Where in the nest a statement stands.
struct Standing {
  std::vector<IndexVar> bound;
  bool revisited = false;  // a loop outside ranges over a variable that the result lacks
  bool in_block = false;   // the coordinates above the result's block of dense levels are known
};

class Placer {
 public:
  Placer(const concrete::Program& program, Reach reach, std::vector<IndexVar> block)
      : out_{program, false, false}, reach_(reach), block_(std::move(block)) {
    int assignments = 0;
    tree::each_assignment(program.root, [&](const Assign& a, const std::vector<const Forall*>&) {
      if (!(a.target.tensor == result())) return;
      ++assignments;
      for (const IndexVar& v : a.target.indices)
        if (!contains(left_, v)) left_.push_back(v);
    });
    several_ = assignments > 1;
  }

  std::optional<Placed> run() {
    out_.program.root = place(out_.program.root, {});
    if (failed_) return std::nullopt;
    return std::move(out_);
  }

 private:
  const TensorVar& result() const { return out_.program.result().var; }

  bool ranges_over_result(const IndexVar& v) const {
    const std::vector<IndexVar> all = out_.program.provenance.underived(v);
    return std::any_of(all.begin(), all.end(), [&](const IndexVar& u) { return contains(left_, u); });
  }
  bool ranges_only_over_result(const IndexVar& v) const {
    const std::vector<IndexVar> all = out_.program.provenance.underived(v);
    return std::all_of(all.begin(), all.end(), [&](const IndexVar& u) { return contains(left_, u); });
  }
  bool is_known(const IndexVar& v, const Standing& site) const {
    return out_.program.provenance.is_known(v, site.bound);
  }
  std::vector<IndexVar> unknown(const Standing& site) const {
    std::vector<IndexVar> rest;
    for (const IndexVar& v : left_)
      if (!is_known(v, site)) rest.push_back(v);
    return rest;
  }
  Stmt place(const Stmt& s, const Standing& site) {
    if (failed_ || !assigns_result(out_.program, s)) return s;
    if (const auto* w = std::get_if<Where>(&s->kind)) return concrete::where(place(w->consumer, site), w->producer);
    const std::vector<IndexVar> rest = unknown(site);
    const auto* f = std::get_if<Forall>(&s->kind);
    if (rest.empty()) return at_point(s, site);
    const auto of_block = [&](const IndexVar& v) { return contains(block_, v); };
    if (!site.in_block && !block_.empty() && std::all_of(rest.begin(), rest.end(), of_block)) {
      failed_ = failed_ || site.revisited;
      Standing inside = site;
      inside.in_block = true;
      return place(s, inside);
    }
    if (f != nullptr && f->how.leaf != concrete::Leaf::None) return call(s, site);
    if (reach_ == Reach::Anywhere || site.in_block || (f != nullptr && ranges_over_result(f->var)))
      return descend(s, site);
    if (rest.size() == 1) return through_workspace(s, rest[0], site);
    failed_ = true;
    return s;
  }

  Stmt descend(const Stmt& s, const Standing& site) {
    if (const auto* f = std::get_if<Forall>(&s->kind)) {
      Standing inner = site;
      inner.bound.push_back(f->var);
      inner.revisited = inner.revisited || !ranges_only_over_result(f->var);
      return concrete::forall(f->var, place(f->body, inner), f->how);
    }
    std::vector<Stmt> statements;
    for (const Stmt& x : std::get<Sequence>(s->kind).statements) statements.push_back(place(x, site));
    return concrete::sequence(std::move(statements));
  }

  /// Loops that a call takes the place of stay as they are, and add to the result.
  Stmt call(const Stmt& s, const Standing& site) {
    if (const auto* f = std::get_if<Forall>(&s->kind)) return concrete::forall(f->var, call(f->body, site), f->how);
    const auto* a = std::get_if<Assign>(&s->kind);
    failed_ = failed_ || a == nullptr || (reach_ == Reach::Ordered && !site.in_block);
    (site.in_block ? out_.adds_in_block : out_.adds_to_result) = true;
    return a == nullptr ? s : concrete::assign(a->target, a->rhs, true);
  }

  /// All of the result's variables are known: what is left to run are sums.
  Stmt at_point(const Stmt& s, const Standing& site) {
    if (const auto* a = std::get_if<Assign>(&s->kind)) return assign_result(a->target, a->rhs, site);
    const auto* q = std::get_if<Sequence>(&s->kind);
    const std::vector<Stmt> parts = q == nullptr ? std::vector<Stmt>{s} : q->statements;
    const TensorVar t(workspaces::fresh_tensor(out_.program, "t"), 0);
    std::vector<Expr> values;
    std::vector<Stmt> producers;
    std::optional<Access> target;
    for (const Stmt& part : parts) {
      if (const auto* plain = std::get_if<Assign>(&part->kind)) {
        values.push_back(plain->rhs);
        target = plain->target;
      } else {
        producers.push_back(workspaces::collect(out_.program, part, Access{t, {}}, target));
      }
    }
    if (!producers.empty()) {
      out_.program.tensors.push_back({t, Role::Scalar, Format(), out_.program.compute, {}, false});
      values.push_back(make_expr(Access{t, {}}));
    }
    Expr value = values.front();
    for (std::size_t k = 1; k < values.size(); ++k) value = value + values[k];
    const Stmt consumer = assign_result(*target, value, site);
    return producers.empty() ? consumer : concrete::where(consumer, concrete::sequence(std::move(producers)));
  }

  Stmt assign_result(const Access& target, const Expr& value, const Standing& site) {
    if (site.in_block) {
      const bool again = site.revisited || (several_ && !collected_whole(site));
      out_.adds_in_block = out_.adds_in_block || again;
      return concrete::assign(target, value, again);
    }
    const bool adds = site.revisited || (several_ && reach_ == Reach::Anywhere && !collected_whole(site));
    if (site.revisited && reach_ == Reach::Ordered) failed_ = true;
    out_.adds_to_result = out_.adds_to_result || adds;
    return concrete::assign(target, value, adds);
  }

  /// Whether every assignment to the result is below the loops of this site: then they are collected there together.
  bool collected_whole(const Standing& site) const {
    Stmt s = out_.program.root;
    for (std::size_t depth = 0; depth < site.bound.size();) {
      if (const auto* w = std::get_if<Where>(&s->kind)) {
        s = w->consumer;
        continue;
      }
      const auto* f = std::get_if<Forall>(&s->kind);
      if (f == nullptr) return false;
      s = f->body;
      ++depth;
    }
    return true;
  }

  /// forall v. R(…,v) = w(v) where the statement adds to w instead.
  Stmt through_workspace(const Stmt& s, const IndexVar& v, const Standing& site) {
    concrete::Program& p = out_.program;
    const TensorVar w = workspaces::add(p, "w", {v}, workspaces::sparse_format(p, {v}), p.compute);
    std::optional<Access> target;
    const Stmt producer = workspaces::collect(p, s, Access{w, {v}}, target);
    const Stmt consumer = assign_result(*target, make_expr(Access{w, {v}}), site);
    return concrete::where(concrete::forall(v, consumer), producer);
  }

  Placed out_;
  Reach reach_;
  std::vector<IndexVar> left_;
  std::vector<IndexVar> block_;
  bool several_ = false;
  bool failed_ = false;
};

}  // namespace

std::optional<Placed> place_temporaries(const concrete::Program& program, Reach reach,
                                        const std::vector<IndexVar>& block) {
  return Placer(program, reach, block).run();
}

}  // namespace lacuna

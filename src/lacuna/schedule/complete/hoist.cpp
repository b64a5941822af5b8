#include "lacuna/schedule/complete/hoist.h"

#include <algorithm>
#include <vector>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Stmt;
using concrete::Where;

class Hoister {
 public:
  explicit Hoister(const Program& program) : program_(program) {}

  Stmt go(const Stmt& s) const {
    return concrete::match(
        s, [&](const Forall& f) { return out_of(f); },
        [&](const Where& w) { return concrete::where(go(w.consumer), go(w.producer)); },
        [&](const Assign&) { return s; },
        [&](const concrete::Sequence& q) {
          std::vector<Stmt> statements;
          for (const Stmt& x : q.statements) statements.push_back(go(x));
          return concrete::sequence(std::move(statements));
        });
  }

 private:
  Stmt out_of(const Forall& f) const {
    Stmt body = go(f.body);
    std::vector<Stmt> outside;  // the one that is run last comes first
    while (const auto* w = std::get_if<Where>(&body->kind)) {
      if (depends_on(w->producer, f.var)) break;
      outside.push_back(w->producer);
      body = w->consumer;
    }
    Stmt result = concrete::forall(f.var, body, f.how);
    for (auto p = outside.rbegin(); p != outside.rend(); ++p) result = concrete::where(result, *p);
    return result;
  }

  /// Whether the producer is another one in each iteration over `v`, or has to be run again for another reason: what a
  /// workspace collected is gone once it is read.
  bool depends_on(const Stmt& producer, const IndexVar& v) const {
    const std::vector<IndexVar> of_loop = together_with(program_.provenance.underived(v));
    const auto is_meant = [&](const IndexVar& u) {
      const std::vector<IndexVar> all = program_.provenance.underived(u);
      return u == v || std::any_of(all.begin(), all.end(), [&](const IndexVar& x) { return contains(of_loop, x); });
    };
    bool found = false;
    tree::each_assignment(producer, [&](const Assign& a, const std::vector<const Forall*>& loops) {
      found = found || program_.at(a.target.tensor).role != concrete::Role::Scalar;
      for (const Forall* f : loops) found = found || is_meant(f->var);
      for (const IndexVar& u : free_variables(a.rhs)) found = found || is_meant(u);
    });
    return found;
  }

  /// The variables, and those that they are fused with: pieces of pairs tell one of them by the other.
  std::vector<IndexVar> together_with(std::vector<IndexVar> variables) const {
    for (const concrete::Derivation& d : program_.provenance.all()) {
      const auto* f = std::get_if<concrete::Fuse>(&d);
      if (f == nullptr) continue;
      const std::vector<IndexVar> pair = program_.provenance.underived(f->fused);
      const auto in_pair = [&](const IndexVar& x) { return contains(pair, x); };
      if (std::none_of(variables.begin(), variables.end(), in_pair)) continue;
      for (const IndexVar& x : pair)
        if (!contains(variables, x)) variables.push_back(x);
    }
    return variables;
  }

  const Program& program_;
};

}  // namespace

Stmt hoist_producers(const Program& program) { return Hoister(program).go(program.root); }

}  // namespace lacuna

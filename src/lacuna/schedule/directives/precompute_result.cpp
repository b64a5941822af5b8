#include <algorithm>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/precompute.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/workspaces.h"

namespace lacuna::directives {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Stmt;

/// forall i. S, with S assigning to C(i,j)  ->  forall i. (forall j. C(i,j) += w(j)) where S', with S' adding to w(jw).
class Collector {
 public:
  Collector(const Scheduled& before, const directive::Precompute& d) : out_(before), d_(d) {}

  Scheduled run() {
    const Access target = as_target();
    check_positions();
    variables_ = workspace_variables(program(), d_, target.indices, to_string(d_.expr));
    workspace_ = add_workspace(program(), d_, variables_, workspaces::sparse_format(program(), variables_.over),
                               program().compute);
    program().root = below_shared_loops(program().root);
    return std::move(out_);
  }

 private:
  Program& program() { return out_.program; }
  const TensorVar& result() const { return out_.program.result().var; }

  Access as_target() {
    std::optional<Access> target;
    tree::each_assignment(program().root, [&](const Assign& a, const std::vector<const Forall*>&) {
      if (a.target.tensor == result()) target = a.target;
    });
    if (!target || !equal(make_expr(*target), d_.expr))
      refuse("precompute", "the result is {}, not {}", target ? to_string(make_expr(*target)) : result().name(),
             to_string(d_.expr));
    return *target;
  }

  /// Positions are counted along an access as it is written, which renaming changes.
  void check_positions() const {
    if (d_.variables == d_.producer_variables) return;
    for (const IndexVar& v : tree::loop_variables(out_.program.root))
      if (out_.program.provenance.counts_positions(v))
        refuse("precompute", "{} runs over positions, which belong to one nest; precompute before pos", v.name());
  }

  /// Whether all that a loop ranges over are indices of the result that the workspace is not over.
  bool is_shared(const IndexVar& loop, const Access& target) const {
    const std::vector<IndexVar> all = out_.program.provenance.underived(loop);
    return std::all_of(all.begin(), all.end(),
                       [&](const IndexVar& v) { return contains(target.indices, v) && !contains(variables_.over, v); });
  }

  Stmt below_shared_loops(const Stmt& s) {
    if (const auto* w = std::get_if<concrete::Where>(&s->kind);
        w != nullptr && concrete::assigns_result(program(), w->consumer))
      return concrete::where(below_shared_loops(w->consumer), w->producer);
    const auto* f = std::get_if<Forall>(&s->kind);
    if (f != nullptr && is_shared(f->var, as_target())) {
      outside_.push_back(f->var);
      return concrete::forall(f->var, below_shared_loops(f->body), f->how);
    }
    return collected(s);
  }

  Stmt collected(const Stmt& s) {
    check_loops(as_target());
    std::optional<Access> target;
    Access to{workspace_, {}};
    for (const IndexVar& v : variables_.over) to.indices.push_back(v);
    const Stmt producer = renamed(workspaces::collect(program(), s, to, target));
    Stmt consumer = concrete::assign(*target, make_expr(to), true);
    for (auto v = variables_.over.rbegin(); v != variables_.over.rend(); ++v) consumer = concrete::forall(*v, consumer);
    return concrete::where(consumer, producer);
  }

  /// Each value must be told by the loops outside or by the workspace.
  void check_loops(const Access& target) const {
    for (const IndexVar& v : target.indices)
      if (!contains(variables_.over, v) && !out_.program.provenance.is_known(v, outside_))
        refuse("precompute",
               "{} is inside a sum or beside another term, so that the workspace must be over {}, too; or "
               "reorder it outside these",
               v.name(), v.name());
  }

  Stmt renamed(const Stmt& s) const {
    const auto name = [&](const IndexVar& v) {
      const auto it = variables_.producing.find(v);
      return it == variables_.producing.end() ? v : it->second;
    };
    return tree::rewrite(s, [&](const Stmt& x) {
      if (const auto* f = std::get_if<Forall>(&x->kind)) return concrete::forall(name(f->var), f->body, f->how);
      const auto* a = std::get_if<Assign>(&x->kind);
      if (a == nullptr) return x;
      Access target = a->target;
      for (IndexVar& v : target.indices) v = name(v);
      return concrete::assign(target, branch::rename(a->rhs, variables_.producing), a->accumulate);
    });
  }

  Scheduled out_;
  const directive::Precompute& d_;
  WorkspaceVariables variables_;
  TensorVar workspace_;
  std::vector<IndexVar> outside_;
};

}  // namespace

Scheduled precompute_result(const Scheduled& before, const directive::Precompute& d) {
  return Collector(before, d).run();
}

}  // namespace lacuna::directives

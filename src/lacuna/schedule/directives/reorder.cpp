#include <fmt/ranges.h>
#include <algorithm>

#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/tree.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Stmt;

/// A statement as the loops directly inside one another and what is inside them all.
struct Chain {
  std::vector<const Forall*> loops;
  Stmt inside;
};

Chain chain_of(const Stmt& s) {
  Chain c{{}, s};
  while (const auto* f = std::get_if<Forall>(&c.inside->kind)) {
    c.loops.push_back(f);
    c.inside = f->body;
  }
  return c;
}

class Reorderer {
 public:
  explicit Reorderer(std::vector<IndexVar> wanted) : wanted_(std::move(wanted)) {}

  Stmt go(const Stmt& s) {
    return concrete::match(
        s,
        [&](const Forall&) {
          Chain c = chain_of(s);
          permute(c);
          Stmt result = go(c.inside);
          for (auto f = c.loops.rbegin(); f != c.loops.rend(); ++f)
            result = concrete::forall((*f)->var, result, (*f)->how);
          return result;
        },
        [&](const concrete::Where& w) { return concrete::where(go(w.consumer), go(w.producer)); },
        [&](const concrete::Assign&) { return s; },
        [&](const concrete::Sequence& q) {
          std::vector<Stmt> statements;
          for (const Stmt& x : q.statements) statements.push_back(go(x));
          return concrete::sequence(std::move(statements));
        });
  }

  bool all_together() const { return complete_; }

 private:
  /// The named loops of the chain take their places in the wanted order. A chain without some of them is another
  /// term's.
  void permute(Chain& c) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < c.loops.size(); ++k)
      if (contains(wanted_, c.loops[k]->var)) places.push_back(k);
    if (places.size() < wanted_.size()) return;
    complete_ = true;
    const std::vector<const Forall*> old = c.loops;
    std::size_t next = 0;
    for (const IndexVar& v : wanted_)
      for (const std::size_t k : places)
        if (old[k]->var == v) c.loops[places[next++]] = old[k];
  }

  std::vector<IndexVar> wanted_;
  bool complete_ = false;
};

}  // namespace

/// forall i forall j S  ->  forall j forall i S
Scheduled apply(const Scheduled& before, const directive::Reorder& d) {
  Scheduled after = before;
  concrete::Program& p = after.program;
  std::vector<IndexVar> wanted;
  for (const std::string& name : d.variables) {
    const IndexVar v = directives::loop_variable(p, name, "reorder");
    if (contains(wanted, v)) user_error("reorder: {} is named twice", name);
    wanted.push_back(v);
  }
  Reorderer reorderer(wanted);
  p.root = reorderer.go(p.root);
  if (!reorderer.all_together())
    user_error(
        "reorder: the loops {} are not directly inside one another in any nest: only such loops can change places",
        fmt::join(d.variables, ", "));
  directives::check_operand_orders(after, "reorder");
  return after;
}

}  // namespace lacuna

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Stmt;

class Substituter {
 public:
  Substituter(std::vector<IndexVar> variables, concrete::Leaf leaf) : variables_(std::move(variables)), leaf_(leaf) {}

  Stmt go(const Stmt& s) {
    return tree::rewrite(s, [&](const Stmt& x) { return is_nest(x) ? tagged(x) : x; });
  }
  bool found() const { return found_; }

 private:
  /// Whether these are the loops over the variables, directly inside one another, and inside them one assignment.
  bool is_nest(const Stmt& s) const {
    const Stmt* inside = &s;
    std::vector<IndexVar> loops;
    while (const auto* f = std::get_if<Forall>(&(*inside)->kind)) {
      loops.push_back(f->var);
      inside = &f->body;
    }
    return std::holds_alternative<concrete::Assign>((*inside)->kind) &&
           std::is_permutation(loops.begin(), loops.end(), variables_.begin(), variables_.end());
  }

  Stmt tagged(const Stmt& s) {
    const auto* f = std::get_if<Forall>(&s->kind);
    if (f == nullptr) return s;
    found_ = true;
    concrete::Execution how = f->how;
    how.leaf = leaf_;
    return concrete::forall(f->var, tagged(f->body), how);
  }

  std::vector<IndexVar> variables_;
  concrete::Leaf leaf_;
  bool found_ = false;
};

}  // namespace

Scheduled apply(const Scheduled& before, const directive::Substitute& d) {
  std::vector<IndexVar> variables;
  for (const std::string& name : d.variables)
    variables.push_back(directives::loop_variable(before.program, name, "substitute"));
  Scheduled after = before;
  Substituter substituter(variables, d.leaf);
  after.program.root = substituter.go(after.program.root);
  if (!substituter.found())
    refuse("substitute",
           "the loops {} are nowhere directly inside one another with one assignment and no other loop "
           "inside; "
           "reorder and loopfuse can bring them there",
           fmt::join(d.variables, ", "));
  return after;
}

}  // namespace lacuna

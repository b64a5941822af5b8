#include <algorithm>
#include <optional>
#include <set>

#include "lacuna/concrete/refusal.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/branch.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/directives/precompute.h"
#include "lacuna/schedule/language/resolve.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/workspaces.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Stmt;
using directives::linear_in;
using directives::replace;

class Precomputer {
 public:
  Precomputer(const Scheduled& before, const directive::Precompute& d) : out_(before), d_(d) {}

  Scheduled run() {
    find();
    check_variables();
    make_workspace();
    program().root = rebuild(program().root, 0);
    return std::move(out_);
  }

 private:
  Program& program() { return out_.program; }
  const std::vector<IndexVar>& over() const { return variables_.over; }

  void find() {
    std::set<std::string> names;
    for (const auto& [v, extent] : program().extents) names.insert(v.name());
    const Expr wanted = resolve_names(d_.expr, names);
    int found = find_each([&](const Expr& e) -> std::optional<directives::Regrouped> {
      const auto part = directives::find_part(out_, e, wanted);
      return part ? std::make_optional(directives::Regrouped{e, *part}) : std::nullopt;
    });
    if (found == 0) found = find_each([&](const Expr& e) { return directives::bring_together(out_, e, wanted); });
    if (found == 0)
      refuse("precompute", "{} is no part of what is computed; the terms are those of the statement, written alike",
             to_string(d_.expr));
    if (found > 1) refuse("precompute", "{} stands in several places; name a larger part", to_string(d_.expr));
  }

  /// In how many assignments something is found; keeps the last.
  template <typename Find>
  int find_each(const Find& find) {
    int found = 0;
    tree::each_assignment(program().root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
      const std::optional<directives::Regrouped> here = find(a.rhs);
      if (!here) return;
      ++found;
      part_ = here->part;
      original_ = a.rhs;
      assign_ = a;
      assign_.rhs = here->whole;
      loops_.clear();
      for (const Forall* f : loops) loops_.push_back(f->var);
      alone_from_ = static_cast<std::size_t>(
          std::find_if(loops.begin(), loops.end(), [](const Forall* f) { return stands_alone(f->body); }) -
          loops.begin());
    });
    return found;
  }

  void check_variables() {
    for (const IndexVar& v : loops_)
      if (program().provenance.counts_positions(v))
        refuse("precompute", "{} runs over positions, which belong to one nest; precompute before pos", v.name());
    variables_ = directives::workspace_variables(program(), d_, free_variables(part_), to_string(d_.expr));
  }

  bool uses(const std::vector<IndexVar>& variables, const IndexVar& loop) {
    return branch::uses_some(program(), variables, loop);
  }

  void make_workspace() {
    consumer_ = free_variables(replace(assign_.rhs, part_, Expr(1)));
    for (const IndexVar& v : assign_.target.indices) consumer_.push_back(v);
    shared_depth_ = 0;
    for (std::size_t k = 0; k < loops_.size(); ++k)
      if (!uses(over(), loops_[k]) && uses(consumer_, loops_[k]) && uses(free_variables(part_), loops_[k]))
        shared_depth_ = k + 1;
    const Type type = takes_sums() ? branch::sum_type(program(), assign_) : promote(type_of(part_, program().facts()));
    const Format otherwise = workspaces::format_for(program(), part_, over());
    workspace_ = directives::add_workspace(program(), d_, variables_, otherwise, type);
  }

  /// Whether a loop that is split in two runs over the part alone: it is then summed over in the workspace.
  bool takes_sums() {
    const std::vector<IndexVar> free = free_variables(part_);
    const auto first = static_cast<std::ptrdiff_t>(std::max(shared_depth_, alone_from_));
    return std::any_of(loops_.begin() + first, loops_.end(),
                       [&](const IndexVar& v) { return uses(free, v) && !uses(consumer_, v) && !uses(over(), v); });
  }

  /// Walks down to the assignment; below the loops that both sides share, and those that other statements share with
  /// them, the nest splits in two.
  Stmt rebuild(const Stmt& s, std::size_t depth) {
    const auto holds = [&](const Stmt& x) {
      bool found = false;
      tree::each_assignment(x, [&](const Assign& a, const std::vector<const Forall*>&) {
        found = found || (a.rhs.get() == original_.get() && a.target.tensor == assign_.target.tensor);
      });
      return found;
    };
    if (!holds(s)) return s;
    if (const auto* f = std::get_if<Forall>(&s->kind)) {
      if (depth < shared_depth_ || !stands_alone(s))
        return concrete::forall(f->var, rebuild(f->body, depth + 1), f->how);
      return in_two(s);
    }
    if (const auto* w = std::get_if<concrete::Where>(&s->kind))
      return concrete::where(rebuild(w->consumer, depth), rebuild(w->producer, depth));
    if (const auto* q = std::get_if<concrete::Sequence>(&s->kind)) {
      std::vector<Stmt> statements;
      for (const Stmt& x : q->statements) statements.push_back(rebuild(x, depth));
      return concrete::sequence(std::move(statements));
    }
    return in_two(s);
  }

  /// Whether a statement is an assignment, and the loops around it.
  static bool stands_alone(Stmt s) {
    while (const auto* f = std::get_if<Forall>(&s->kind)) s = f->body;
    return std::holds_alternative<Assign>(s->kind);
  }

  Stmt in_two(const Stmt& s) {
    std::vector<const Forall*> chain;
    Stmt inside = s;
    while (const auto* f = std::get_if<Forall>(&inside->kind)) {
      chain.push_back(f);
      inside = f->body;
    }
    for (const IndexVar& v : over())
      if (std::none_of(chain.begin(), chain.end(), [&](const Forall* f) { return f->var == v; }))
        refuse(
            "precompute",
            "the loop over {} is outside loops that what is precomputed shares with other statements or "
            "with "
            "what reads it, so there is nothing to keep; reorder it inside these, or precompute over other variables",
            v.name());
    const std::vector<IndexVar> free = free_variables(part_);
    for (auto f = chain.rbegin(); f != chain.rend(); ++f) {
      const IndexVar& v = (*f)->var;
      if (uses(free, v) && !uses(consumer_, v) && !uses(over(), v) &&
          !(assign_.accumulate && linear_in(assign_.rhs, part_, program(), branch::sum_type(program(), assign_))))
        refuse("precompute", "{} is summed over {}, which cannot be done before the rest of {}", to_string(d_.expr),
               v.name(), to_string(assign_.rhs));
    }
    const Expr rest = replace(assign_.rhs, part_, make_expr(Access{workspace_, over()}));
    return branch::in_two(program(), chain, {assign_, part_, rest, workspace_, over(), variables_.producing});
  }

  Scheduled out_;
  const directive::Precompute& d_;
  Expr part_;
  Expr original_;  // the right side as it was; that of assign_ has the part standing together
  Assign assign_;
  std::vector<IndexVar> loops_, consumer_;
  directives::WorkspaceVariables variables_;
  TensorVar workspace_;
  std::size_t alone_from_ = 0;    // the first loop that no other statement is in
  std::size_t shared_depth_ = 0;  // how many loops stay around both sides
};

}  // namespace

/// forall i forall k forall j A(i,j) += B(i,k)*C(k,j)
///   ->  forall i (forall j A(i,j) += w(j) where forall k forall jw w(jw) += B(i,k)*C(k,jw))
/// (Kjolstad et al., CGO 2019, section V). Factors of a product need not stand side by side. Sums over variables of the
/// expression alone move with it.
Scheduled apply(const Scheduled& before, const directive::Precompute& d) {
  const auto* access = as<Access>(d.expr);
  if (access != nullptr && access->tensor.name() == before.program.result().var.name())
    return directives::precompute_result(before, d);
  return Precomputer(before, d).run();
}

}  // namespace lacuna

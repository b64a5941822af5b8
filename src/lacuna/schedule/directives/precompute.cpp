#include <algorithm>
#include <optional>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/branch.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/resolve.h"
#include "lacuna/schedule/tree.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Stmt;

bool occurs(const Expr& e, const Expr& part) {
  if (equal(e, part)) return true;
  for (const Expr& x : children(e))
    if (occurs(x, part)) return true;
  return false;
}

/// Whether e is a product (or quotient's numerator, or negative) of `part` and things without it: then sums over
/// variables of `part` alone may be taken inside. Quotients of integers are rounded one by one, and integers narrower
/// than the type of the sum wrap one by one.
bool linear_in(const Expr& e, const Expr& part, const Program& p, Type sum) {
  if (equal(e, part)) return true;
  const Type type = type_of(e, p.facts());
  if (is_integer(type) && type != sum) return false;
  if (const auto* n = as<Negate>(e)) return linear_in(n->operand, part, p, sum);
  const auto* b = as<Binary>(e);
  if (b == nullptr || b->op == BinaryOp::Add || b->op == BinaryOp::Sub) return false;
  if (b->op == BinaryOp::Div && is_integer(type)) return false;
  if (occurs(b->left, part)) return !occurs(b->right, part) && linear_in(b->left, part, p, sum);
  return b->op == BinaryOp::Mul && linear_in(b->right, part, p, sum);
}

Expr replace(const Expr& e, const Expr& part, const Expr& by) {
  if (equal(e, part)) return by;
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = replace(x, part, by);
  return with_children(e, operands);
}

/// The expression as it stands in the program, whose accesses may read copies.
std::optional<Expr> find_part(const Scheduled& s, const Expr& e, const Expr& wanted) {
  const auto original = [&](const TensorVar& t) {
    for (const OperandCopy& c : s.copies)
      if (c.name == t.name()) return TensorVar(c.source, t.order());
    return t;
  };
  const std::function<Expr(const Expr&)> as_written = [&](const Expr& x) {
    if (const auto* a = as<Access>(x)) return make_expr(Access{original(a->tensor), a->indices});
    std::vector<Expr> operands = children(x);
    for (Expr& y : operands) y = as_written(y);
    return with_children(x, operands);
  };
  if (equal(as_written(e), wanted)) return e;
  for (const Expr& x : children(e))
    if (const auto found = find_part(s, x, wanted)) return found;
  return std::nullopt;
}

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

  void find() {
    std::set<std::string> names;
    for (const auto& [v, extent] : program().extents) names.insert(v.name());
    const Expr wanted = resolve_names(d_.expr, names);
    int found = 0;
    tree::each_assignment(program().root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
      const auto part = find_part(out_, a.rhs, wanted);
      if (!part) return;
      ++found;
      part_ = *part;
      assign_ = a;
      loops_.clear();
      for (const Forall* f : loops) loops_.push_back(f->var);
    });
    if (found == 0)
      user_error("precompute: {} is no part of what is computed; the terms are those of the statement, written alike",
                 to_string(d_.expr));
    if (found > 1) user_error("precompute: {} stands in several places; name a larger part", to_string(d_.expr));
  }

  void check_variables() {
    for (const IndexVar& v : loops_)
      if (program().provenance.counts_positions(v))
        user_error("precompute: {} runs over positions, which belong to one nest; precompute before pos", v.name());
    if (d_.variables.size() != d_.producer_variables.size() || d_.variables.empty())
      user_error("precompute: {} variables of the expression, but {} for the loops that compute it: give as many",
                 d_.variables.size(), d_.producer_variables.size());
    const std::vector<IndexVar> free = free_variables(part_);
    for (std::size_t k = 0; k < d_.variables.size(); ++k) {
      const IndexVar v = directives::loop_variable(program(), d_.variables[k], "precompute");
      if (program().provenance.is_derived(v))
        user_error(
            "precompute: {} was made from {}; precompute over the variables of the statement, and split or fuse "
            "their loops after that",
            v.name(), fmt::join(directives::names_of(underived(v)), " and "));
      if (!tree::contains(free, v)) user_error("precompute: {} does not use {}", to_string(d_.expr), d_.variables[k]);
      if (tree::contains(over_, v)) user_error("precompute: {} is named twice", d_.variables[k]);
      over_.push_back(v);
      const bool same = d_.producer_variables[k] == d_.variables[k];
      const IndexVar iw = same ? v : directives::new_variable(program(), d_.producer_variables[k], "precompute");
      names_.emplace(v, iw);
      program().extents[iw] = program().extents.at(v);
    }
  }

  std::vector<IndexVar> underived(const IndexVar& loop) { return program().provenance.underived(loop); }

  bool uses(const std::vector<IndexVar>& variables, const IndexVar& loop) {
    return branch::uses_some(program(), variables, loop);
  }

  void make_workspace() {
    Format format = d_.format.value_or(dense_format(static_cast<int>(over_.size())));
    if (!std::all_of(format.levels().begin(), format.levels().end(),
                     [](const LevelFormat& l) { return l.kind == LevelKind::Dense; }))
      user_error("precompute: a workspace in {} is not available; leave the format out for a dense one",
                 format.to_string());
    if (format.order() != static_cast<int>(over_.size()))
      user_error("precompute: the workspace is over {} variables, but its format {} has {} levels", over_.size(),
                 format.to_string(), format.order());
    const std::string name = d_.name.empty() ? branch::fresh_tensor(program(), "w") : d_.name;
    const auto taken = [&](const concrete::Tensor& t) { return t.var.name() == name; };
    const auto& tensors = program().tensors;
    if (!d_.name.empty() && std::any_of(tensors.begin(), tensors.end(), taken))
      user_error("precompute: there is a tensor {} already; choose another name for the workspace", name);
    workspace_ = TensorVar(name, format.order());
    consumer_ = free_variables(replace(assign_.rhs, part_, Expr(1)));
    for (const IndexVar& v : assign_.target.indices) consumer_.push_back(v);
    const Type type = takes_sums() ? branch::sum_type(program(), assign_) : promote(type_of(part_, program().facts()));
    concrete::Tensor t{workspace_, concrete::Role::Workspace, format, type, {}, false};
    for (const IndexVar& v : over_)
      t.widths.push_back({Type::Int64, program().extents.at(v) - 1 <= INT32_MAX ? Type::Int32 : Type::Int64});
    program().tensors.push_back(std::move(t));
    shared_depth_ = 0;
    for (std::size_t k = 0; k < loops_.size(); ++k)
      if (!uses(over_, loops_[k]) && uses(consumer_, loops_[k]) && uses(free_variables(part_), loops_[k]))
        shared_depth_ = k + 1;
  }

  /// Whether a loop around the assignment runs over the part alone: it is then summed over in the workspace.
  bool takes_sums() {
    const std::vector<IndexVar> free = free_variables(part_);
    return std::any_of(loops_.begin(), loops_.end(),
                       [&](const IndexVar& v) { return uses(free, v) && !uses(consumer_, v) && !uses(over_, v); });
  }

  /// Walks down to the assignment; below the loops that both sides share, and those that other statements share with
  /// them, the nest splits in two.
  Stmt rebuild(const Stmt& s, std::size_t depth) {
    const auto holds = [&](const Stmt& x) {
      bool found = false;
      tree::each_assignment(x, [&](const Assign& a, const std::vector<const Forall*>&) {
        found = found || (a.rhs.get() == assign_.rhs.get() && a.target.tensor == assign_.target.tensor);
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
    for (const IndexVar& v : over_)
      if (std::none_of(chain.begin(), chain.end(), [&](const Forall* f) { return f->var == v; }))
        user_error(
            "precompute: the loop over {} is outside loops that what is precomputed shares with other statements or "
            "with "
            "what reads it, so there is nothing to keep; reorder it inside these, or precompute over other variables",
            v.name());
    const std::vector<IndexVar> free = free_variables(part_);
    for (auto f = chain.rbegin(); f != chain.rend(); ++f) {
      const IndexVar& v = (*f)->var;
      if (uses(free, v) && !uses(consumer_, v) && !uses(over_, v) &&
          !(assign_.accumulate && linear_in(assign_.rhs, part_, program(), branch::sum_type(program(), assign_))))
        user_error("precompute: {} is summed over {}, which cannot be done before the rest of {}", to_string(d_.expr),
                   v.name(), to_string(assign_.rhs));
    }
    const Expr rest = replace(assign_.rhs, part_, make_expr(Access{workspace_, over_}));
    return branch::in_two(program(), chain, {assign_, part_, rest, workspace_, over_, names_});
  }

  Scheduled out_;
  const directive::Precompute& d_;
  Expr part_;
  Assign assign_;
  std::vector<IndexVar> loops_, over_, consumer_;
  branch::Renaming names_;
  TensorVar workspace_;
  std::size_t shared_depth_ = 0;
};

}  // namespace

/// forall i forall k forall j A(i,j) += B(i,k)*C(k,j)
///   ->  forall i (forall j A(i,j) += w(j) where forall k forall jw w(jw) += B(i,k)*C(k,jw))
/// (Kjolstad et al., CGO 2019, section V). Sums over variables of the expression alone move with it.
Scheduled apply(const Scheduled& before, const directive::Precompute& d) { return Precomputer(before, d).run(); }

}  // namespace lacuna

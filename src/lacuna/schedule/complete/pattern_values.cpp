#include "lacuna/schedule/complete/pattern_values.h"

#include <algorithm>
#include <optional>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/notation/operators.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/workspaces.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;
using concrete::Role;
using concrete::Stmt;
using concrete::Tensor;

using Loops = std::vector<const Forall*>;

/// Looks for the operand whose pattern a workspace has.
class PatternSearch {
 public:
  PatternSearch(const Program& program, const TensorVar& workspace) : program_(program), workspace_(workspace) {}

  /// The access of the operand where the workspace is filled.
  std::optional<Access> run() const {
    std::optional<Access> found;
    int productions = 0;
    bool in_order = true;
    tree::each_assignment(program_.root, [&](const Assign& a, const Loops& loops) {
      if (!(a.target.tensor == workspace_)) return;
      ++productions;
      found = operand_of(a);
      in_order = in_order && found && comes_in_order(*found, found->indices, loops);
    });
    if (productions != 1 || !in_order) return std::nullopt;
    const Access target = target_of();
    tree::each_assignment(program_.root, [&](const Assign& a, const Loops& loops) {
      for (const Access& x : accesses(a.rhs))
        if (x.tensor == workspace_) in_order = in_order && comes_in_order(*found, renamed(*found, target, x), loops);
    });
    return in_order ? found : std::nullopt;
  }

 private:
  Access target_of() const {
    std::optional<Access> target;
    tree::each_assignment(program_.root, [&](const Assign& a, const Loops&) {
      if (a.target.tensor == workspace_) target = a.target;
    });
    return *target;
  }

  /// The operand's variables where those of the workspace's target are called as in another access of it.
  static std::vector<IndexVar> renamed(const Access& pattern, const Access& target, const Access& read) {
    std::vector<IndexVar> variables;
    for (const IndexVar& v : pattern.indices) {
      const auto mode = std::find(target.indices.begin(), target.indices.end(), v) - target.indices.begin();
      variables.push_back(read.indices[static_cast<std::size_t>(mode)]);
    }
    return variables;
  }

  /// The operand among those of a product that has entries exactly where it has a value, at the same coordinates.
  std::optional<Access> operand_of(const Assign& a) const {
    for (const Access& x : accesses(a.rhs))
      if (fits(x, a.target) && is_present_with(a.rhs, x)) return x;
    return std::nullopt;
  }

  bool fits(const Access& x, const Access& target) const {
    const Tensor& t = program_.at(x.tensor);
    return t.role == Role::Operand && !t.piece && !t.format.is_dense() && !t.format.has_nodes() &&
           t.format.levels().back().unique && x.indices.size() == target.indices.size() &&
           std::is_permutation(x.indices.begin(), x.indices.end(), target.indices.begin());
  }

  bool is_present_with(const Expr& e, const Access& operand) const {
    using concrete::Formula;
    const Formula present = concrete::presence(e, [&](const Access& a) {
      if (a.tensor == operand.tensor && a.indices == operand.indices) return Formula::atom(0);
      const Tensor& t = program_.at(a.tensor);
      return t.role == Role::Operand && t.format.is_dense() ? Formula::always() : Formula::atom(1);
    });
    return present == Formula::atom(0);
  }

  /// Whether loops come to the operand's entries by way of its levels, one after the other.
  bool comes_in_order(const Access& operand, const std::vector<IndexVar>& variables, const Loops& loops) const {
    const Format& format = program_.at(operand.tensor).format;
    std::size_t level = 0;
    std::vector<IndexVar> outside;
    for (const Forall* f : loops) {
      outside.push_back(f->var);
      for (std::size_t k = 0; k < variables.size(); ++k) {
        const IndexVar& v = variables[static_cast<std::size_t>(format.map().mode_of(static_cast<int>(k)))];
        const bool known = program_.provenance.is_known(v, outside);
        if (known && k > level) return false;
        if (known && k == level) ++level;
      }
    }
    return true;
  }

  const Program& program_;
  const TensorVar& workspace_;
};

/// The workspace becomes values for the entries of an operand, its modes in the operand's order.
class PatternGiver {
 public:
  PatternGiver(Program& program, const TensorVar& workspace, const Access& pattern)
      : program_(program), workspace_(workspace), pattern_(pattern) {}

  void run() {
    tree::each_assignment(program_.root, [&](const Assign& a, const Loops&) {
      if (!(a.target.tensor == workspace_)) return;
      for (const IndexVar& v : pattern_.indices)
        modes_.push_back(static_cast<int>(std::find(a.target.indices.begin(), a.target.indices.end(), v) -
                                          a.target.indices.begin()));
    });
    for (Tensor& t : program_.tensors) {
      if (!(t.var == workspace_)) continue;
      const Tensor& operand = program_.at(pattern_.tensor);
      t.role = Role::PatternValues;
      t.format = operand.format;
      t.widths = operand.widths;
      t.pattern = operand.var;
    }
    program_.root = rewrite(program_.root);
  }

 private:
  Stmt rewrite(const Stmt& s) {
    return concrete::match(
        s,
        [&](const Forall& f) {
          return produces_at(s) ? collected(s) : concrete::forall(f.var, rewrite(f.body), f.how);
        },
        [&](const concrete::Where& w) { return concrete::where(rewrite(w.consumer), rewrite(w.producer)); },
        [&](const Assign& a) { return concrete::assign(reordered(a.target), reordered(a.rhs), a.accumulate); },
        [&](const concrete::Sequence& q) {
          std::vector<Stmt> statements;
          for (const Stmt& x : q.statements) statements.push_back(rewrite(x));
          return concrete::sequence(std::move(statements));
        });
  }

  /// Whether a statement is the loops of the sum that is added to one value: none of them is over its variables.
  bool produces_at(const Stmt& s) const {
    Stmt inside = s;
    bool sums = true;
    while (const auto* f = std::get_if<Forall>(&inside->kind)) {
      for (const IndexVar& v : program_.provenance.underived(f->var)) sums = sums && !contains(pattern_.indices, v);
      sums = sums && (f->how.leaf == concrete::Leaf::None || f->how.leaf == concrete::Leaf::Dot);
      inside = f->body;
    }
    const auto* a = std::get_if<Assign>(&inside->kind);
    return sums && a != nullptr && a->target.tensor == workspace_;
  }

  /// forall k w(iw,jw) += e  ->  w(iw,jw) = t where forall k t += e
  Stmt collected(const Stmt& sum) {
    const TensorVar t(workspaces::fresh_tensor(program_, "t"), 0);
    program_.tensors.push_back({t, Role::Scalar, Format(), program_.at(workspace_).type, {}, false});
    std::optional<Access> target;
    const Stmt producer = tree::rewrite(sum, [&](const Stmt& x) {
      const auto* a = std::get_if<Assign>(&x->kind);
      if (a == nullptr) return x;
      target = a->target;
      return concrete::assign(Access{t, {}}, a->rhs, true);
    });
    return concrete::where(concrete::assign(reordered(*target), make_expr(Access{t, {}}), true), producer);
  }

  Access reordered(const Access& a) const {
    if (!(a.tensor == workspace_)) return a;
    Access in_order{a.tensor, {}};
    for (const int m : modes_) in_order.indices.push_back(a.indices[static_cast<std::size_t>(m)]);
    return in_order;
  }

  Expr reordered(const Expr& e) const {
    if (const auto* a = as<Access>(e)) return a->tensor == workspace_ ? make_expr(reordered(*a), e.where()) : e;
    std::vector<Expr> operands = children(e);
    for (Expr& x : operands) x = reordered(x);
    return with_children(e, operands);
  }

  Program& program_;
  TensorVar workspace_;
  Access pattern_;
  std::vector<int> modes_;  // of the workspace, by mode of the operand
};

}  // namespace

void give_patterns(Program& program) {
  // Sums over nothing are absent, whatever is stored.
  for (const auto& [v, extent] : program.extents)
    if (extent == 0) return;
  std::vector<TensorVar> workspaces;
  for (const Tensor& t : program.tensors)
    if (t.role == Role::Workspace && !t.as_asked) workspaces.push_back(t.var);
  for (const TensorVar& w : workspaces)
    if (const auto pattern = PatternSearch(program, w).run()) PatternGiver(program, w, *pattern).run();
}

}  // namespace lacuna

#include "lacuna/schedule/automatic/bare_loops.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/automatic/choose.h"

namespace lacuna {
namespace {

using concrete::Role;
using concrete::Stmt;

Type coordinate_width(std::int64_t extent) { return extent - 1 <= INT32_MAX ? Type::Int32 : Type::Int64; }

/// Writes the loops of a choice in concrete index notation, each group of terms assigned to the result where its loops
/// end; sums written out in the statement go through scalars.
class Builder {
 public:
  Builder(const ScheduleProblem& problem, const GroupedStatement& grouped, Choice choice)
      : problem_(problem), grouped_(grouped), choice_(std::move(choice)) {
    for (const auto& [name, facts] : problem.operands) taken_.insert(name);
    taken_.insert(problem.statement.lhs.tensor.name());
    for (const Group& g : grouped.groups)
      for (const NestedSum& s : g.nested) taken_.insert(s.scalar.name());
  }

  Scheduled run() {
    concrete::Program& p = out_.program;
    p.name = "kernel";
    p.text = problem_.statement.text;
    p.extents = problem_.extents;
    p.compute = problem_.compute_type;
    add_result();
    for (std::size_t g = 0; g < grouped_.groups.size(); ++g) bodies_.push_back(read_copies(g));
    p.root = shared_loops();
    note_copies();
    return std::move(out_);
  }

 private:
  /// An expression with its sums' producers: scalars to be produced at the depth where their free variables are bound.
  struct Body {
    Expr expr;
    std::vector<NestedSum> nested;
  };

  void add_result() {
    concrete::Tensor t{problem_.statement.lhs.tensor, Role::Result, problem_.result_format,
                       problem_.result_type,          {},           false};
    for (int k = 0; k < t.format.order(); ++k) {
      const IndexVar& v = grouped_.lhs.indices[static_cast<std::size_t>(t.format.map().mode_of(k))];
      t.widths.push_back({Type::Int64, coordinate_width(problem_.extents.at(v))});
    }
    out_.program.tensors.push_back(std::move(t));
  }

  /// The group's expressions with every access replaced by what the plan reads; registers the operands.
  Body read_copies(std::size_t g) {
    const Group& group = grouped_.groups[g];
    Body body{rename(group.expr, choice_.costs[g]), group.nested};
    for (NestedSum& s : body.nested) {
      s.body = rename(s.body, choice_.costs[g]);
      out_.program.tensors.push_back({s.scalar, Role::Scalar, Format(), s.type, {}, false});
    }
    return body;
  }

  Expr rename(const Expr& e, const OrderCost& plan) {
    if (const auto* a = as<Access>(e)) {
      for (const AccessPlan& p : plan.accesses)
        if (p.access.tensor == a->tensor && p.access.indices == a->indices)
          return make_expr(Access{operand(p), a->indices}, e.where());
      return e;  // the scalar of a sum
    }
    std::vector<Expr> operands = children(e);
    for (Expr& x : operands) x = rename(x, plan);
    return with_children(e, operands);
  }

  TensorVar operand(const AccessPlan& p) {
    const std::string& source = p.access.tensor.name();
    if (!p.copy) {
      if (out_.program.find(p.access.tensor) == nullptr) {
        const OperandFacts& f = problem_.operands.at(source);
        out_.program.tensors.push_back({p.access.tensor, Role::Operand, f.format, f.type, f.widths, f.piece});
      }
      return p.access.tensor;
    }
    for (std::size_t k = 0; k < out_.copies.size(); ++k)
      if (out_.copies[k].source == source && out_.copies[k].format == *p.copy) return copy_vars_[k];
    const TensorVar var(fresh(source + "_copy"), p.access.tensor.order());
    out_.copies.push_back({var.name(), source, *p.copy, false});
    copy_vars_.push_back(var);
    const OperandFacts& f = problem_.operands.at(source);
    concrete::Tensor t{var, Role::Operand, *p.copy, f.type, {}, false};
    const bool large = f.stored > INT32_MAX;
    for (const IndexVar& v : p.variables)
      t.widths.push_back({large ? Type::Int64 : Type::Int32, coordinate_width(problem_.extents.at(v))});
    out_.program.tensors.push_back(std::move(t));
    return var;
  }

  void note_copies() {
    for (const OperandCopy& c : out_.copies)
      out_.program.notes.push_back(
          fmt::format("{} is read from a copy in {}: its own {} cannot be walked in this loop order", c.source,
                      c.format.to_string(), problem_.operands.at(c.source).format.to_string()));
  }

  std::string fresh(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !taken_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

  Stmt shared_loops() {
    std::vector<NestedSum> outside;
    std::vector<Stmt> nests;
    for (std::size_t g = 0; g < bodies_.size(); ++g) {
      std::vector<NestedSum> inside;
      split_nested(read_by(bodies_[g].expr), choice_.shared, outside, inside);
      const bool once = bodies_.size() == 1 && grouped_.groups[g].sums.empty();
      const Stmt term = concrete::assign(grouped_.lhs, bodies_[g].expr, !once);
      nests.push_back(loops(own_variables(g), term, inside, choice_.shared));
    }
    return loops(choice_.shared, concrete::sequence(std::move(nests)), outside, {});
  }

  VariableOrder own_variables(std::size_t g) const {
    const VariableOrder& order = choice_.orders[g];
    const std::size_t count = grouped_.left.size() - choice_.shared.size() + grouped_.groups[g].sums.size();
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(choice_.shared.size());
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  /// Which sums can be produced with only `bound` variables (and which sums they themselves read).
  static void split_nested(const std::vector<NestedSum>& nested, const VariableOrder& bound,
                           std::vector<NestedSum>& outside, std::vector<NestedSum>& inside) {
    for (const NestedSum& s : nested) (depth_of(s, bound) <= bound.size() ? outside : inside).push_back(s);
  }

  /// After how many of `order` all free variables of the sum are bound; more than all when some is not among them.
  static std::size_t depth_of(const NestedSum& s, const VariableOrder& order) {
    std::size_t depth = 0;
    for (const IndexVar& v : s.free) {
      const auto it = std::find(order.begin(), order.end(), v);
      depth = std::max(depth, it == order.end() ? order.size() + 1 : static_cast<std::size_t>(it - order.begin()) + 1);
    }
    return depth;
  }

  /// `order` as foralls around `innermost`, each explicit sum produced as far out as its variables allow. `above`:
  /// variables bound outside.
  Stmt loops(const VariableOrder& order, Stmt innermost, const std::vector<NestedSum>& sums,
             const VariableOrder& above) {
    VariableOrder all = above;
    all.insert(all.end(), order.begin(), order.end());
    Stmt stmt = std::move(innermost);
    for (std::size_t d = order.size() + 1; d-- > 0;) {
      std::vector<Stmt> producers;
      for (const NestedSum& s : sums)
        if (std::max(depth_of(s, all), above.size()) == above.size() + d) producers.push_back(produce(s));
      if (!producers.empty()) stmt = concrete::where(std::move(stmt), concrete::sequence(std::move(producers)));
      if (d > 0) stmt = concrete::forall(order[d - 1], std::move(stmt));
    }
    return stmt;
  }

  /// The sums that an expression reads itself; those inside them are theirs to produce.
  std::vector<NestedSum> read_by(const Expr& e) const {
    std::vector<NestedSum> sums;
    for (const Body& b : bodies_)
      for (const NestedSum& s : b.nested)
        for (const Access& a : accesses(e))
          if (a.tensor == s.scalar) sums.push_back(s);
    return sums;
  }

  /// forall v. scalar += body, where the sums that the body reads are produced inside the loop if they depend on v,
  /// else before it.
  Stmt produce(const NestedSum& s) {
    std::vector<Stmt> inside, before;
    for (const NestedSum& inner : read_by(s.body)) {
      const bool depends = std::find(inner.free.begin(), inner.free.end(), s.var) != inner.free.end();
      (depends ? inside : before).push_back(produce(inner));
    }
    Stmt stmt = concrete::assign(Access{s.scalar, {}}, s.body, true);
    if (!inside.empty()) stmt = concrete::where(std::move(stmt), concrete::sequence(std::move(inside)));
    stmt = concrete::forall(s.var, std::move(stmt));
    return before.empty() ? stmt : concrete::where(std::move(stmt), concrete::sequence(std::move(before)));
  }

  const ScheduleProblem& problem_;
  const GroupedStatement& grouped_;
  Choice choice_;
  Scheduled out_;
  std::vector<Body> bodies_;
  std::vector<TensorVar> copy_vars_;
  std::set<std::string> taken_;
};

}  // namespace

Scheduled bare_loops(const ScheduleProblem& problem) {
  const GroupedStatement grouped = group_terms(problem);
  return Builder(problem, grouped, choose(problem, grouped)).run();
}

}  // namespace lacuna

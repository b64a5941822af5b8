#include "lacuna/schedule/automatic/automatic.h"

#include <algorithm>
#include <set>

#include "lacuna/notation/operators.h"
#include "lacuna/schedule/automatic/choose.h"

namespace lacuna {
namespace {

using concrete::Assembly;
using concrete::LevelWidths;
using concrete::Role;
using concrete::Stmt;

Type coordinate_width(std::int64_t extent) { return extent - 1 <= INT32_MAX ? Type::Int32 : Type::Int64; }

/// Turns a choice into concrete index notation.
class Builder {
 public:
  Builder(const ScheduleProblem& problem, const GroupedStatement& grouped, Choice choice)
      : problem_(problem), grouped_(grouped), choice_(std::move(choice)) {
    for (const auto& [name, facts] : problem.operands) taken_.insert(name);
    taken_.insert(problem.statement.lhs.tensor.name());
    for (const Group& g : grouped.groups)
      for (const NestedSum& s : g.nested) taken_.insert(s.scalar.name());
  }

  /// `bare`: the loops alone, which assign to the result wherever they come to it; no temporaries but those of explicit
  /// sums, no threads.
  Scheduled run(bool bare) {
    if (bare) {
      choice_.accumulator = Accumulator::Direct;
      choice_.result = problem_.result_format;
    }
    bare_ = bare;
    concrete::Program& p = out_.program;
    p.name = "kernel";
    p.text = problem_.statement.text;
    p.extents = problem_.extents;
    p.assembly = choice_.assembly;
    p.pattern_operand = choice_.pattern_operand;
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
    const bool accumulates = choice_.accumulator == Accumulator::Direct && !bare_;
    concrete::Tensor t{problem_.statement.lhs.tensor,
                       Role::Result,
                       choice_.result,
                       accumulates ? problem_.compute_type : problem_.result_type,
                       {},
                       false};
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
    out_.copies.push_back({var.name(), source, *p.copy});
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
    if (bare_) return;
    if (!(choice_.result == problem_.result_format) && choice_.assembly != Assembly::Stream)
      out_.program.notes.push_back(fmt::format("{} is made in {} and converted to {}", grouped_.lhs.tensor.name(),
                                               choice_.result.to_string(), problem_.result_format.to_string()));
    if (choice_.assembly == Assembly::Stream)
      out_.program.notes.push_back(fmt::format("{} is made from a stream of coordinates, sorted and coalesced into {}",
                                               grouped_.lhs.tensor.name(), problem_.result_format.to_string()));
  }

  std::string fresh(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !taken_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

  TensorVar scalar(const std::string& name, Type type) {
    TensorVar t(fresh(name), 0);
    out_.program.tensors.push_back({t, Role::Scalar, Format(), type, {}, false});
    return t;
  }

  static Expr read(const TensorVar& t, std::vector<IndexVar> indices = {}) {
    return make_expr(Access{t, std::move(indices)});
  }

  Stmt shared_loops() {
    std::vector<NestedSum> hoisted;  // sums of the consumer's own expression
    Stmt inner;
    switch (choice_.accumulator) {
      case Accumulator::None:
        inner = concrete::assign(grouped_.lhs, bodies_[0].expr);
        hoisted = read_by(bodies_[0].expr);
        break;
      case Accumulator::Scalar: inner = scalar_accumulator(hoisted); break;
      case Accumulator::Workspace: inner = workspace_accumulator(); break;
      case Accumulator::Direct: {
        std::vector<Stmt> nests;
        for (std::size_t g = 0; g < bodies_.size(); ++g) nests.push_back(direct_nest(g));
        inner = concrete::sequence(std::move(nests));
        break;
      }
    }
    const bool parallel = problem_.parallel && !shares_presence() && !bare_;
    return loops(choice_.shared, std::move(inner), hoisted, parallel);
  }

  /// Whether iterations of the outermost loop meet at a presence byte: that of a bitmap above the level which the
  /// loop's variable indexes.
  bool shares_presence() const {
    const Format& f = choice_.result;
    for (int k = 0; k < f.order() && !choice_.shared.empty(); ++k) {
      if (grouped_.lhs.indices[static_cast<std::size_t>(f.map().mode_of(k))] == choice_.shared.front()) return false;
      if (f.level(k).kind == LevelKind::Bitmap) return true;
    }
    return false;
  }

  /// y(i) = [terms without sums] + t, where each summed group adds to t.
  Stmt scalar_accumulator(std::vector<NestedSum>& hoisted) {
    const TensorVar t = scalar("t", problem_.compute_type);
    Expr value = read(t);
    std::vector<Stmt> producers;
    for (std::size_t g = 0; g < bodies_.size(); ++g) {
      if (grouped_.groups[g].sums.empty()) {
        value = bodies_[g].expr + value;
        hoisted = read_by(bodies_[g].expr);
      } else {
        producers.push_back(own_loops(g, concrete::assign(Access{t, {}}, bodies_[g].expr, true)));
      }
    }
    return concrete::where(concrete::assign(grouped_.lhs, value), concrete::sequence(std::move(producers)));
  }

  Stmt workspace_accumulator() {
    const IndexVar v = workspace_variable();
    const TensorVar w(fresh("w"), 1);
    const Type crd = coordinate_width(problem_.extents.at(v));
    out_.program.tensors.push_back(
        {w, Role::Workspace, Format({LevelFormat{}}), problem_.compute_type, {LevelWidths{Type::Int64, crd}}, false});
    std::vector<Stmt> producers;
    for (std::size_t g = 0; g < bodies_.size(); ++g)
      producers.push_back(own_loops(g, concrete::assign(Access{w, {v}}, bodies_[g].expr, true)));
    return concrete::where(concrete::forall(v, concrete::assign(grouped_.lhs, read(w, {v}))),
                           concrete::sequence(std::move(producers)));
  }

  IndexVar workspace_variable() const {
    for (const IndexVar& v : grouped_.left)
      if (std::find(choice_.shared.begin(), choice_.shared.end(), v) == choice_.shared.end()) return v;
    throw InternalError("internal error: no variable is left for a workspace");
  }

  /// The group's own loops around additions to the result; sums inside the last result variable go through a scalar
  /// first.
  Stmt direct_nest(std::size_t g) {
    const VariableOrder own = own_variables(g);
    std::size_t result_depth = 0;
    for (std::size_t d = 0; d < own.size(); ++d)
      if (std::find(grouped_.left.begin(), grouped_.left.end(), own[d]) != grouped_.left.end()) result_depth = d + 1;
    const bool once = bare_ && grouped_.groups.size() == 1 && grouped_.groups[g].sums.empty();
    if (result_depth == own.size() || bare_)
      return own_loops(g, concrete::assign(grouped_.lhs, bodies_[g].expr, !once));
    const TensorVar t = scalar("t", problem_.compute_type);
    const VariableOrder outer(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(result_depth));
    const VariableOrder inner(own.begin() + static_cast<std::ptrdiff_t>(result_depth), own.end());
    std::vector<NestedSum> outside, inside;
    VariableOrder bound = choice_.shared;
    bound.insert(bound.end(), outer.begin(), outer.end());
    split_nested(read_by(bodies_[g].expr), bound, outside, inside);
    const Stmt producer = loops(inner, concrete::assign(Access{t, {}}, bodies_[g].expr, true), inside, false, bound);
    const Stmt consumer = concrete::assign(grouped_.lhs, read(t), true);
    return loops(outer, concrete::where(consumer, producer), outside, false, choice_.shared);
  }

  VariableOrder own_variables(std::size_t g) const {
    const VariableOrder& order = choice_.orders[g];
    const std::size_t count = grouped_.left.size() - choice_.shared.size() + grouped_.groups[g].sums.size();
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(choice_.shared.size());
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  Stmt own_loops(std::size_t g, Stmt innermost) {
    return loops(own_variables(g), std::move(innermost), read_by(bodies_[g].expr), false, choice_.shared);
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
  Stmt loops(const VariableOrder& order, Stmt innermost, const std::vector<NestedSum>& sums, bool parallel,
             const VariableOrder& above = {}) {
    VariableOrder all = above;
    all.insert(all.end(), order.begin(), order.end());
    Stmt stmt = std::move(innermost);
    for (std::size_t d = order.size() + 1; d-- > 0;) {
      std::vector<Stmt> producers;
      for (const NestedSum& s : sums)
        if (std::max(depth_of(s, all), above.size()) == above.size() + d) producers.push_back(produce(s));
      if (!producers.empty()) stmt = concrete::where(std::move(stmt), concrete::sequence(std::move(producers)));
      if (d > 0)
        stmt = concrete::forall(order[d - 1], std::move(stmt),
                                {parallel && d == 1 ? concrete::Unit::CpuThread : concrete::Unit::Serial});
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
  bool bare_ = false;
};

}  // namespace

Scheduled schedule_automatically(const ScheduleProblem& problem) {
  const GroupedStatement grouped = group_terms(problem);
  Scheduled scheduled = Builder(problem, grouped, choose(problem, grouped)).run(false);
  concrete::verify(scheduled.program);
  return scheduled;
}

Scheduled bare_loops(const ScheduleProblem& problem) {
  const GroupedStatement grouped = group_terms(problem);
  return Builder(problem, grouped, choose(problem, grouped)).run(true);
}

}  // namespace lacuna

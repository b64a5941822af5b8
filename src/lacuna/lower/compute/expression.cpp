#include "lacuna/lower/compute/expression.h"

#include "lacuna/concrete/presence.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/lower/workspace/workspace.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using concrete::Role;

loop::Expr zero_of(Type type) { return loop::Expr(Scalar::zero(type)); }

class Evaluator {
 public:
  Evaluator(Context& context, const Scope& scope, Statements& out) : context_(context), scope_(scope), out_(out) {}

  Computed go(const Expr& e) {
    return match(
        e, [&](const Access& a) { return access(a); },
        [&](const Literal& l) {
          return Computed{loop::Expr(l.value), loop::Expr(true), loop::Expr(false)};
        },
        [&](const IndexValue& v) {
          return Computed{scope_.coordinate.at(v.var), loop::Expr(true), loop::Expr(false)};
        },
        [&](const Negate& n) {
          Computed v = go(n.operand);
          v.value = loop::negate(loop::convert(v.value, promote(v.value.scalar())));
          return v;
        },
        [&](const Cast& c) {
          Computed v = go(c.operand);
          v.value = loop::convert(v.value, c.type);
          return v;
        },
        [&](const Binary& b) { return binary(b); }, [&](const Call& c) { return call(c); },
        [](const Sum&) -> Computed { throw InternalError("internal error: a sum is left in concrete notation"); });
  }

 private:
  Computed access(const Access& a) {
    const concrete::Tensor& t = context_.program().at(a.tensor);
    if (t.role == Role::Scalar) {
      const ScalarState& s = scope_.scalars.at(a.tensor);
      return {loop::Expr(s.value), s.has ? loop::Expr(*s.has) : loop::Expr(true),
              s.structural ? loop::Expr(*s.structural) : loop::Expr(s.always_structural)};
    }
    if (t.role == Role::Operand && a.indices.empty() && !scope_.coordinate.empty())
      return {context_.only_value(a.tensor), loop::Expr(true), loop::Expr(false)};
    const PathState& state = context_.state_of(a, scope_);
    internal_check(state.level == t.format.order(), "{} is not resolved where it is read", a.tensor.name());
    if (t.role == Role::PatternValues)
      return {loop::load(scope_.pattern_values.at(a.tensor), state.at.pos), state.at.present, loop::Expr(true)};
    if (t.role == Role::Workspace) return scope_.workspaces.at(a.tensor)->read(state.at.pos, state.at.present);
    if (state.at.value.defined()) return {state.at.value, state.at.present, loop::Expr(true)};
    return {context_.element(a.tensor, 0, DescriptorField::Values, state.at.pos), state.at.present,
            loop::Expr(!t.format.is_dense())};
  }

  /// The value, or zero where absent; named when it takes a test, so that it is written once.
  loop::Expr or_zero(const Computed& v) {
    if (loop::is_true(v.present)) return v.value;
    const loop::Expr zero = zero_of(v.value.scalar());
    if (loop::is_false(v.present)) return zero;
    const loop::Var named = context_.fresh("v", loop::scalar_type(v.value.scalar()));
    out_.push_back(loop::declare(named, loop::select(v.present, v.value, zero)));
    return named;
  }

  Computed binary(const Binary& b) {
    const Computed left = go(b.left), right = go(b.right);
    const Type type = promote(left.value.scalar(), right.value.scalar());
    if (b.op == BinaryOp::Mul || b.op == BinaryOp::Div) {
      const bool product = b.op == BinaryOp::Mul;
      const loop::Expr l = loop::convert(left.value, type);
      const loop::Expr r = loop::convert(product ? right.value : or_zero(right), type);
      const loop::Expr right_structural = product ? right.structural : (right.present && right.structural);
      return {loop::value_op(product ? loop::BinaryOp::Mul : loop::BinaryOp::Div, l, r),
              product ? left.present && right.present : left.present, left.structural || right_structural};
    }
    return addition(b.op == BinaryOp::Sub, left, right, type);
  }

  Computed addition(bool subtract, const Computed& left, const Computed& right, Type type) {
    if (loop::is_false(right.present)) return {loop::convert(left.value, type), left.present, left.structural};
    const auto negated = [&](const loop::Expr& x) { return subtract ? loop::negate(x) : x; };
    if (loop::is_false(left.present))
      return {negated(loop::convert(right.value, type)), right.present, right.structural};
    const loop::Expr x = loop::convert(or_zero(left), type), y = loop::convert(or_zero(right), type);
    loop::Expr both = loop::value_op(subtract ? loop::BinaryOp::Sub : loop::BinaryOp::Add, x, y);
    // An absent addend is skipped, not added as zero: that would turn -0.0 into 0.0.
    if (!loop::is_true(right.present) && is_float_like(type)) both = loop::select(right.present, both, x);
    if (!loop::is_true(left.present) && is_float_like(type)) both = loop::select(left.present, both, negated(y));
    return {both, left.present || right.present,
            (left.present && left.structural) || (right.present && right.structural)};
  }

  static bool is_float_like(Type type) { return is_float(type) || is_complex(type); }

  Computed call(const Call& c) {
    const AbsenceRule rule = concrete::absence_rule(c);
    std::vector<Computed> values;
    std::vector<Type> types;
    for (const Expr& e : c.arguments) {
      values.push_back(go(e));
      types.push_back(values.back().value.scalar());
    }
    const Type type = argument_type(c.function, types);
    loop::Expr present(rule != AbsenceRule::ZeroWhenAllAbsent), structural(false);
    std::vector<loop::Expr> arguments;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Computed& v = values[k];
      const bool raw = rule == AbsenceRule::AnyAnnihilates || (rule == AbsenceRule::FirstAnnihilates && k == 0) ||
                       (rule == AbsenceRule::ZeroWhenAllAbsent && values.size() == 1);
      if (rule == AbsenceRule::ZeroWhenAllAbsent) present = present || v.present;
      else if (raw) present = present && v.present;
      arguments.push_back(loop::convert(raw ? v.value : or_zero(v), type));
      structural = structural || (raw ? v.structural : (v.present && v.structural));
    }
    return {loop::math(c.function, std::move(arguments)), present, structural};
  }

  Context& context_;
  const Scope& scope_;
  Statements& out_;
};

/// Where something is present, as a condition of the kernel.
struct Condition {
  loop::Expr holds;
  static Condition always() { return {loop::Expr(true)}; }
  static Condition never() { return {loop::Expr(false)}; }
  friend Condition operator&(const Condition& a, const Condition& b) { return {a.holds && b.holds}; }
  friend Condition operator|(const Condition& a, const Condition& b) { return {a.holds || b.holds}; }
};

/// Whether an access is present, as far as it is known in the scope.
Condition present_in(const Context& context, const Access& a, const Scope& scope) {
  if (context.program().at(a.tensor).role != Role::Scalar) return {context.state_of(a, scope).at.present};
  const auto scalar = scope.scalars.find(a.tensor);
  if (scalar == scope.scalars.end() || !scalar->second.has) return Condition::always();
  return {*scalar->second.has};
}

}  // namespace

loop::Expr may_be_present(const Context& context, const Expr& e, const Scope& scope,
                          const std::map<TensorVar, loop::Expr>& known) {
  const auto of_access = [&](const Access& a) {
    const auto it = known.find(a.tensor);
    return it != known.end() ? Condition{it->second} : present_in(context, a, scope);
  };
  return concrete::presence_of<Condition>(e, of_access).holds;
}

Computed evaluate(Context& context, const Expr& e, const Scope& scope, Statements& out) {
  return Evaluator(context, scope, out).go(e);
}

loop::Expr may_run(const Context& context, const concrete::Stmt& stmt, const Scope& scope) {
  const auto of_access = [&](const Access& a) { return present_in(context, a, scope); };
  return concrete::presence_of<Condition>(stmt, of_access).holds;
}

}  // namespace lacuna

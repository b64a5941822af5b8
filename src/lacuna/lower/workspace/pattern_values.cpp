#include "lacuna/lower/workspace/pattern_values.h"

#include "lacuna/concrete/whole.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// How many entries the operand has room for.
loop::Expr positions_of(Context& context, const concrete::Tensor& t) {
  return context.scalar(*t.pattern, t.format.order() - 1, DescriptorField::Positions);
}

}  // namespace

loop::Var declare_pattern_values(Context& context, const concrete::Tensor& tensor, Statements& before,
                                 Statements& after) {
  const loop::Var values = context.fresh(tensor.var.name(), loop::array_type(tensor.type));
  before.push_back(loop::declare_array(values));
  before.push_back(loop::allocate(values, positions_of(context, tensor), false));
  after.push_back(loop::release(values));
  return values;
}

void clear_pattern_values(Context& context, const TensorVar& temporary, const Scope& scope, Statements& out) {
  if (context.nest().stored_once.contains(temporary)) return;
  const concrete::Tensor& t = context.program().at(temporary);
  out.push_back(loop::fill(scope.pattern_values.at(temporary), loop::Expr(0), positions_of(context, t),
                           loop::Expr(Scalar::zero(t.type))));
}

void store_pattern_value(Context& context, const concrete::Assign& assign, const Computed& value, const Scope& scope,
                         Statements& out) {
  const concrete::Tensor& t = context.program().at(assign.target.tensor);
  const PathState& entry = context.state_of(assign.target, scope);
  internal_check(entry.level == t.format.order(), "{} is not at an entry of {}", t.var.name(), t.pattern->name());
  const bool once = context.nest().stored_once.contains(t.var);
  const loop::Expr v = loop::convert(value.value, t.type), zero(Scalar::zero(t.type));
  const loop::Expr kept = loop::is_true(value.present) ? v : loop::select(value.present, v, zero);
  const loop::StoreOp op = once ? loop::StoreOp::Set : loop::StoreOp::Add;
  out.push_back(loop::store(scope.pattern_values.at(t.var), entry.at.pos, kept, op));
}

}  // namespace lacuna

#include "lacuna/schedule/directives/parts.h"

#include <functional>

namespace lacuna::directives {

using concrete::Program;

namespace {

bool occurs(const Expr& e, const Expr& part) {
  if (equal(e, part)) return true;
  for (const Expr& x : children(e))
    if (occurs(x, part)) return true;
  return false;
}

}  // namespace

/// Quotients of integers are rounded one by one, and integers narrower than the type of the sum wrap one by one.
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

}  // namespace lacuna::directives

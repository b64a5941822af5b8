#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

const Scalar* scalar_of(const Expr& e) {
  const auto* constant = std::get_if<Constant>(&e.node().kind);
  return constant && e.type().is_scalar() ? &constant->value : nullptr;
}

std::optional<bool> compare(BinaryOp op, const Scalar& a, const Scalar& b) {
  return visit_type(a.type(), [&](auto tag) -> std::optional<bool> {
    using T = decltype(tag);
    const T x = a.as<T>();
    const T y = b.as<T>();
    if (op == BinaryOp::Eq) return x == y;
    if (op == BinaryOp::Ne) return x != y;
    if constexpr (std::is_arithmetic_v<T>) {
      if (op == BinaryOp::Lt) return x < y;
      if (op == BinaryOp::Le) return x <= y;
      if (op == BinaryOp::Gt) return x > y;
      if (op == BinaryOp::Ge) return x >= y;
    }
    return std::nullopt;
  });
}

/// Index arithmetic whose result fits its type.
std::optional<std::int64_t> index_arithmetic(BinaryOp op, std::int64_t a, std::int64_t b) {
  // Small enough that nothing overflows an int64; larger constants are no matter for a simplifier.
  const std::int64_t limit = std::int64_t{1} << 31;
  if (a <= -limit || a >= limit || b <= -limit || b >= limit) return std::nullopt;
  switch (op) {
    case BinaryOp::Add: return a + b;
    case BinaryOp::Sub: return a - b;
    case BinaryOp::Mul: return a * b;
    case BinaryOp::Div: return b == 0 ? std::nullopt : std::optional(a / b);
    case BinaryOp::Mod: return b == 0 ? std::nullopt : std::optional(a % b);
    case BinaryOp::Min: return b < a ? b : a;
    case BinaryOp::Max: return a < b ? b : a;
    default: return std::nullopt;
  }
}

std::optional<Expr> fold_integers(const Binary& node, const Scalar& a, const Scalar& b) {
  if (a.type() == Type::UInt64 || a.type() == Type::Bool) return std::nullopt;
  const auto folded = index_arithmetic(node.op, a.as<std::int64_t>(), b.as<std::int64_t>());
  if (!folded) return std::nullopt;
  const Scalar result = Scalar(*folded).convert(a.type());
  if (!node.wraps && result.as<std::int64_t>() != *folded) return std::nullopt;
  return Expr(result);
}

/// One rounding, as the kernel would do it.
std::optional<Expr> fold_floats(BinaryOp op, const Scalar& a, const Scalar& b) {
  switch (op) {
    case BinaryOp::Add: return Expr(a + b);
    case BinaryOp::Sub: return Expr(a - b);
    case BinaryOp::Mul: return Expr(a * b);
    case BinaryOp::Div: return Expr(a / b);
    default: return std::nullopt;
  }
}

std::optional<Expr> fold(const Binary& node) {
  const Scalar* a = scalar_of(node.left);
  const Scalar* b = scalar_of(node.right);
  if (!a || !b) return std::nullopt;
  if (const auto truth = compare(node.op, *a, *b)) return Expr(*truth);
  if (is_integer(a->type())) return fold_integers(node, *a, *b);
  return is_float(a->type()) ? fold_floats(node.op, *a, *b) : std::nullopt;
}

std::optional<Expr> fold(const Unary& node) {
  const Scalar* a = scalar_of(node.operand);
  if (!a || node.op != UnaryOp::Negate || is_complex(a->type())) return std::nullopt;
  return Expr((-*a).convert(a->type()));
}

}  // namespace

std::optional<Expr> fold_constants(const Expr& expr) {
  if (const auto* node = std::get_if<Binary>(&expr.node().kind)) return fold(*node);
  if (const auto* node = std::get_if<Unary>(&expr.node().kind)) return fold(*node);
  const auto* conversion = std::get_if<Convert>(&expr.node().kind);
  const Scalar* a = conversion && expr.type().is_scalar() ? scalar_of(conversion->operand) : nullptr;
  if (!a) return std::nullopt;
  return Expr(a->convert(expr.scalar()));
}

bool is_droppable(const Expr& expr) {
  bool calls = false;
  for_each(expr, [&](const Expr& e) { calls = calls || std::holds_alternative<Invoke>(e.node().kind); });
  return !calls;
}

std::optional<std::int64_t> integer_constant(const Expr& expr) {
  const Scalar* value = scalar_of(expr);
  if (!value || !is_integer(value->type()) || value->type() == Type::UInt64 || value->type() == Type::Bool) {
    return std::nullopt;
  }
  return value->as<std::int64_t>();
}

}  // namespace lacuna::loop::simplifier

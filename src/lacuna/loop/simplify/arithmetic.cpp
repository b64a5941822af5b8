#include <cmath>

#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

bool is_number(const Expr& e, double value) {
  const auto* constant = std::get_if<Constant>(&e.node().kind);
  return constant && e.type().is_scalar() && !is_complex(e.scalar()) && constant->value.as<double>() == value;
}

/// Zero of the sign that makes `x + zero` or `x - zero` the same as x, also for x = -0.0.
bool is_neutral_zero(const Expr& e, BinaryOp op) {
  if (!is_number(e, 0)) return false;
  if (is_integer(e.scalar())) return true;
  const bool negative = std::signbit(std::get<Constant>(e.node().kind).value.as<double>());
  return negative == (op == BinaryOp::Add);
}

bool is_index(const Binary& node) {
  return !node.wraps && node.left.type().is_scalar() && is_integer(node.left.scalar());
}

std::optional<Expr> neutral(const Binary& node) {
  // One times a complex number is no identity: it multiplies by a zero imaginary part, too.
  if (!node.left.type().is_scalar() || is_complex(node.left.scalar())) return std::nullopt;
  switch (node.op) {
    case BinaryOp::Add:
      if (is_neutral_zero(node.left, node.op)) return node.right;
      [[fallthrough]];
    case BinaryOp::Sub:
      if (is_neutral_zero(node.right, node.op)) return node.left;
      return std::nullopt;
    case BinaryOp::Mul:
      if (is_number(node.left, 1)) return node.right;
      [[fallthrough]];
    case BinaryOp::Div:
      if (is_number(node.right, 1)) return node.left;
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<Expr> absorbed(const Binary& node) {
  if (!is_index(node)) return std::nullopt;
  const Expr zero = constant(node.left.scalar(), 0);
  if (node.op == BinaryOp::Mul && is_number(node.left, 0) && is_droppable(node.right)) return zero;
  if (node.op == BinaryOp::Mul && is_number(node.right, 0) && is_droppable(node.left)) return zero;
  if (node.op == BinaryOp::Mod && is_number(node.right, 1) && is_droppable(node.left)) return zero;
  if (node.op == BinaryOp::Sub && is_droppable(node.left) && same(node.left, node.right)) return zero;
  return std::nullopt;
}

/// `a + b - a` -> `b`; `a + b - b` -> `a`; `a - b + b` -> `a`
std::optional<Expr> cancelled(const Binary& node) {
  const auto* inner = std::get_if<Binary>(&node.left.node().kind);
  if (!inner || !is_index(node) || !is_index(*inner) || !is_droppable(node.right)) return std::nullopt;
  if (node.op == BinaryOp::Sub && inner->op == BinaryOp::Add) {
    if (same(inner->right, node.right)) return inner->left;
    if (same(inner->left, node.right)) return inner->right;
  }
  if (node.op == BinaryOp::Add && inner->op == BinaryOp::Sub && same(inner->right, node.right)) return inner->left;
  return std::nullopt;
}

/// The c of `x + c`, or of `x - -c`.
std::optional<std::int64_t> summand(const Binary& node) {
  if (node.op != BinaryOp::Add && node.op != BinaryOp::Sub) return std::nullopt;
  if (!is_index(node) || !is_signed_integer(node.left.scalar())) return std::nullopt;
  const auto value = integer_constant(node.right);
  const std::int64_t limit = std::int64_t{1} << 30;  // the sum of two fits every type that can hold them
  if (!value || *value <= -limit || *value >= limit) return std::nullopt;
  return node.op == BinaryOp::Add ? *value : -*value;
}

std::optional<Expr> plus_constant(const Expr& x, std::int64_t c) {
  const Expr magnitude = constant(x.scalar(), c < 0 ? -c : c);
  if (integer_constant(magnitude) != (c < 0 ? -c : c)) return std::nullopt;  // too large for a narrow type
  return c < 0 ? x - magnitude : x + magnitude;
}

/// `x + 2 - 1` -> `x + 1`; `x + -1` -> `x - 1`
std::optional<Expr> gathered(const Binary& node) {
  const auto outer = summand(node);
  if (!outer) return std::nullopt;
  const auto* inner = std::get_if<Binary>(&node.left.node().kind);
  const auto more = inner ? summand(*inner) : std::nullopt;
  if (more) return plus_constant(inner->left, *outer + *more);
  const bool is_negative = *integer_constant(node.right) < 0;
  return is_negative ? plus_constant(node.left, *outer) : std::nullopt;
}

}  // namespace

std::optional<Expr> simplify_arithmetic(const Expr& expr) {
  if (const auto* unary = std::get_if<Unary>(&expr.node().kind); unary && unary->op == UnaryOp::Negate) {
    const auto* inner = std::get_if<Unary>(&unary->operand.node().kind);
    if (inner && inner->op == UnaryOp::Negate) return inner->operand;
    return std::nullopt;
  }
  const auto* node = std::get_if<Binary>(&expr.node().kind);
  if (!node) return std::nullopt;
  if (auto simpler = neutral(*node)) return simpler;
  if (auto simpler = absorbed(*node)) return simpler;
  if (auto simpler = cancelled(*node)) return simpler;
  if (auto simpler = gathered(*node)) return simpler;
  const bool is_choice = node->op == BinaryOp::Min || node->op == BinaryOp::Max;
  if (is_choice && is_droppable(node->right) && same(node->left, node->right)) return node->left;
  return std::nullopt;
}

}  // namespace lacuna::loop::simplifier

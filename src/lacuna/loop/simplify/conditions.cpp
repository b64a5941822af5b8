#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

std::optional<BinaryOp> opposite(BinaryOp op, const Expr& operand) {
  // A NaN is neither less than nor at least another number, so the order of floats has no opposites.
  const bool is_total = operand.type().is_ref() || is_integer(operand.scalar());
  switch (op) {
    case BinaryOp::Eq: return BinaryOp::Ne;
    case BinaryOp::Ne: return BinaryOp::Eq;
    case BinaryOp::Lt: return is_total ? std::optional(BinaryOp::Ge) : std::nullopt;
    case BinaryOp::Le: return is_total ? std::optional(BinaryOp::Gt) : std::nullopt;
    case BinaryOp::Gt: return is_total ? std::optional(BinaryOp::Le) : std::nullopt;
    case BinaryOp::Ge: return is_total ? std::optional(BinaryOp::Lt) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<Expr> negation(const Expr& operand) {
  if (is_true(operand)) return Expr(false);
  if (is_false(operand)) return Expr(true);
  if (const auto* inner = std::get_if<Unary>(&operand.node().kind)) return inner->operand;
  const auto* inner = std::get_if<Binary>(&operand.node().kind);
  if (!inner) return std::nullopt;
  const auto op = opposite(inner->op, inner->left);
  if (!op) return std::nullopt;
  return Expr(
      std::make_shared<const ExprNode>(ExprNode{Binary{*op, inner->left, inner->right, false}, operand.type()}));
}

/// A comparison of something with itself.
std::optional<Expr> reflexive(const Binary& node) {
  if (!is_droppable(node.left) || !same(node.left, node.right)) return std::nullopt;
  const bool is_total = node.left.type().is_ref() || is_integer(node.left.scalar());
  switch (node.op) {
    case BinaryOp::Lt:
    case BinaryOp::Gt: return Expr(false);
    case BinaryOp::Ne: return is_total ? std::optional(Expr(false)) : std::nullopt;
    case BinaryOp::Eq:
    case BinaryOp::Le:
    case BinaryOp::Ge: return is_total ? std::optional(Expr(true)) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<Expr> connective(const Binary& node) {
  const bool is_and = node.op == BinaryOp::And;
  const auto is_neutral = [&](const Expr& e) { return is_and ? is_true(e) : is_false(e); };
  const auto is_absorbing = [&](const Expr& e) { return is_and ? is_false(e) : is_true(e); };
  if (is_neutral(node.left) || is_absorbing(node.left)) return is_neutral(node.left) ? node.right : node.left;
  if (is_neutral(node.right)) return node.left;
  if (is_absorbing(node.right) && is_droppable(node.left)) return node.right;
  if (is_droppable(node.right) && same(node.left, node.right)) return node.left;
  return std::nullopt;
}

/// `a == true` -> `a`, and its kin.
std::optional<Expr> truth(const Binary& node) {
  if (node.left.type() != scalar_type(Type::Bool)) return std::nullopt;
  if (node.op != BinaryOp::Eq && node.op != BinaryOp::Ne) return std::nullopt;
  for (const auto& [value, other] : {std::pair(node.left, node.right), std::pair(node.right, node.left)}) {
    if (!is_true(value) && !is_false(value)) continue;
    return is_true(value) == (node.op == BinaryOp::Eq) ? other : !other;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Expr> simplify_condition(const Expr& expr) {
  if (const auto* unary = std::get_if<Unary>(&expr.node().kind)) {
    return unary->op == UnaryOp::Not ? negation(unary->operand) : std::nullopt;
  }
  const auto* node = std::get_if<Binary>(&expr.node().kind);
  if (!node) return std::nullopt;
  if (node->op == BinaryOp::And || node->op == BinaryOp::Or) return connective(*node);
  if (auto simpler = reflexive(*node)) return simpler;
  return truth(*node);
}

}  // namespace lacuna::loop::simplifier

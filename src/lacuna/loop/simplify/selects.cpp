#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {

std::optional<Expr> simplify_select(const Expr& expr) {
  const auto* node = std::get_if<Select>(&expr.node().kind);
  if (!node) return std::nullopt;
  if (is_true(node->condition)) return node->if_true;
  if (is_false(node->condition)) return node->if_false;
  if (is_droppable(node->condition) && same(node->if_true, node->if_false)) return node->if_true;
  if (is_true(node->if_true) && is_false(node->if_false)) return node->condition;
  if (is_false(node->if_true) && is_true(node->if_false)) return !node->condition;
  const auto* negated = std::get_if<Unary>(&node->condition.node().kind);
  if (negated && negated->op == UnaryOp::Not) return select(negated->operand, node->if_false, node->if_true);
  return std::nullopt;
}

}  // namespace lacuna::loop::simplifier

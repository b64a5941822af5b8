#include "lacuna/loop/array_use.h"

#include "lacuna/loop/walk.h"

namespace lacuna::loop {

bool reads(const Expr& e, const Var& array) {
  const auto& kind = e.node().kind;
  if (const auto* load = std::get_if<Load>(&kind)) return load->array == array;
  if (const auto* bound = std::get_if<LowerBound>(&kind)) return bound->array == array;
  const auto* dot = std::get_if<Dot>(&kind);
  const auto* use = std::get_if<VarUse>(&kind);
  return (use != nullptr && use->var == array) ||
         (dot != nullptr && (dot->left.array == array || dot->right.array == array));
}

bool changes(const Stmt& stmt, const Var& array) {
  if (const auto* store = std::get_if<Store>(&stmt->kind))
    return store->array == array && (store->op != StoreOp::Add || store->member);
  if (const auto* product = std::get_if<MatrixProduct>(&stmt->kind)) {
    const bool is_operand = product->left.array == array || (product->right && product->right->array == array);
    return is_operand || (product->target.array == array && !product->adds);
  }
  if (const auto* fill = std::get_if<Fill>(&stmt->kind)) return fill->array == array;
  if (const auto* resize = std::get_if<Resize>(&stmt->kind)) return resize->array == array;
  if (const auto* release = std::get_if<Release>(&stmt->kind)) return release->array == array;
  if (const auto* keep = std::get_if<Keep>(&stmt->kind)) return keep->array == array;
  if (const auto* take = std::get_if<Take>(&stmt->kind)) return take->array == array;
  if (const auto* sort = std::get_if<Sort>(&stmt->kind)) return sort->array == array || sort->marks == array;
  return false;
}

bool only_adds_to(const Stmt& stmt, const Var& array) {
  bool adds = true;
  for_each(stmt, [&](const Stmt& each) { adds = adds && !changes(each, array); });
  for_each_expression(stmt, [&](const Expr& e) { adds = adds && !reads(e, array); });
  return adds;
}

}  // namespace lacuna::loop

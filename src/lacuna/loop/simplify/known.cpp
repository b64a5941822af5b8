#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

bool changes(const Stmt& branch, const Var& var) {
  bool found = false;
  for_each(branch, [&](const Stmt& stmt) {
    if (const auto* assign = std::get_if<Assign>(&stmt->kind)) found |= assign->var == var;
    if (const auto* declare = std::get_if<Declare>(&stmt->kind)) found |= declare->var == var;
    if (const auto* loop = std::get_if<For>(&stmt->kind))
      for (const Reduction& each : loop->reductions) found |= each.var == var;
  });
  return found;
}

bool uses(const Stmt& branch, const Var& var) {
  bool found = false;
  for_each_expression(branch, [&](const Expr& expr) {
    const auto* use = std::get_if<VarUse>(&expr.node().kind);
    found |= use != nullptr && use->var == var;
  });
  return found;
}

Stmt knowing(const Stmt& branch, const Var& var, bool value) {
  if (!branch || !uses(branch, var) || changes(branch, var)) return branch;
  return with_values(branch, {{var, Expr(value)}});
}

/// A loop that does something only where a variable is true, which it leaves alone.
Stmt ask_before(const Stmt& stmt, const For& loop) {
  const auto* test = std::get_if<If>(&loop.body->kind);
  const auto* use = test && !test->else_branch ? std::get_if<VarUse>(&test->condition.node().kind) : nullptr;
  if (!use || loop.mode == LoopMode::Parallel || use->var == loop.var || changes(stmt, use->var)) return stmt;
  if (!is_droppable(loop.low) || !is_droppable(loop.high)) return stmt;
  For inside = loop;
  inside.body = test->then_branch;
  return if_then(test->condition, make_stmt(std::move(inside)));
}

}  // namespace

Stmt know_conditions(const Stmt& stmt) {
  if (const auto* loop = std::get_if<For>(&stmt->kind)) return ask_before(stmt, *loop);
  const auto* node = std::get_if<If>(&stmt->kind);
  const auto* use = node ? std::get_if<VarUse>(&node->condition.node().kind) : nullptr;
  if (!use) return stmt;
  const Stmt then_branch = knowing(node->then_branch, use->var, true);
  const Stmt else_branch = knowing(node->else_branch, use->var, false);
  if (then_branch == node->then_branch && else_branch == node->else_branch) return stmt;
  return if_then(node->condition, then_branch, else_branch);
}

}  // namespace lacuna::loop::simplifier

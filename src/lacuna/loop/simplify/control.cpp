#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

bool is_empty(const Stmt& stmt) {
  if (!stmt) return true;
  if (std::holds_alternative<Comment>(stmt->kind)) return true;
  const auto* block = std::get_if<Block>(&stmt->kind);
  if (!block) return false;
  for (const Stmt& each : block->statements) {
    if (!is_empty(each)) return false;
  }
  return true;
}

bool ends_control(const Stmt& stmt) {
  return std::holds_alternative<Return>(stmt->kind) || std::holds_alternative<Break>(stmt->kind);
}

/// Whether the branch may stand without its braces: what it declares is declared nowhere else in the function.
bool may_unwrap(const Stmt& branch, const Usages& used) {
  if (!branch) return true;
  if (const auto* node = std::get_if<Declare>(&branch->kind)) return used.at(node->var).declarations <= 1;
  const auto* block = std::get_if<Block>(&branch->kind);
  return !block || std::all_of(block->statements.begin(), block->statements.end(),
                               [&](const Stmt& each) { return may_unwrap(each, used); });
}

Stmt simpler_if(const Stmt& stmt, const If& node, const Usages& used) {
  if (is_true(node.condition) && may_unwrap(node.then_branch, used)) return node.then_branch;
  if (is_false(node.condition) && may_unwrap(node.else_branch, used)) return node.else_branch;
  const bool no_then = is_empty(node.then_branch);
  const bool no_else = is_empty(node.else_branch);
  if (no_then && no_else && is_droppable(node.condition)) return nullptr;
  if (no_then && !no_else) return if_then(!node.condition, node.else_branch);
  if (no_else && node.else_branch) return if_then(node.condition, node.then_branch);
  // One that reads `if (a) … else …` is easier than one that reads `if (!a) … else …`.
  const auto* negated = std::get_if<Unary>(&node.condition.node().kind);
  if (negated && negated->op == UnaryOp::Not && node.else_branch) {
    return if_then(negated->operand, node.else_branch, node.then_branch);
  }
  return stmt;
}

bool does_nothing(const For& node) { return is_empty(node.setup) && is_empty(node.body) && is_empty(node.teardown); }

/// The loop without a setup or teardown that does nothing.
Stmt without_empty_ends(const Stmt& stmt, const For& node) {
  const bool empty_setup = node.setup && is_empty(node.setup);
  const bool empty_teardown = node.teardown && is_empty(node.teardown);
  if (!empty_setup && !empty_teardown) return stmt;
  For copy = node;
  if (empty_setup) copy.setup = nullptr;
  if (empty_teardown) copy.teardown = nullptr;
  return make_stmt(std::move(copy));
}

Stmt simpler_for(const Stmt& stmt, const For& node) {
  if (!is_droppable(node.low) || !is_droppable(node.high)) return without_empty_ends(stmt, node);
  const auto low = integer_constant(node.low);
  const auto high = integer_constant(node.high);
  const bool never_runs = (low && high && *low >= *high) || same(node.low, node.high);
  return never_runs || does_nothing(node) ? nullptr : without_empty_ends(stmt, node);
}

Stmt simpler_block(const Stmt& stmt, const Block& node) {
  std::vector<Stmt> kept;
  bool changed = false;
  for (const Stmt& each : node.statements) {
    const auto* inner = each ? std::get_if<Block>(&each->kind) : nullptr;
    changed = changed || !each || inner;
    if (inner) kept.insert(kept.end(), inner->statements.begin(), inner->statements.end());
    else if (each) kept.push_back(each);
  }
  for (std::size_t k = 0; k + 1 < kept.size(); k++) {
    if (!ends_control(kept[k])) continue;
    kept.resize(k + 1);
    changed = true;
  }
  if (kept.empty()) return changed ? nullptr : stmt;
  if (kept.size() == 1) return kept.front();
  return changed ? block(std::move(kept)) : stmt;
}

}  // namespace

Stmt simplify_control(const Stmt& stmt, const Usages& used) {
  if (const auto* node = std::get_if<If>(&stmt->kind)) return simpler_if(stmt, *node, used);
  if (const auto* node = std::get_if<For>(&stmt->kind)) return simpler_for(stmt, *node);
  if (const auto* node = std::get_if<Block>(&stmt->kind)) return simpler_block(stmt, *node);
  if (const auto* node = std::get_if<While>(&stmt->kind)) return is_false(node->condition) ? nullptr : stmt;
  if (const auto* node = std::get_if<Assign>(&stmt->kind)) {
    const auto* use = std::get_if<VarUse>(&node->value.node().kind);
    return use && use->var == node->var ? nullptr : stmt;
  }
  if (const auto* node = std::get_if<Fill>(&stmt->kind)) {
    const bool droppable = is_droppable(node->low) && is_droppable(node->high) && is_droppable(node->value);
    return droppable && same(node->low, node->high) ? nullptr : stmt;
  }
  return stmt;
}

}  // namespace lacuna::loop::simplifier

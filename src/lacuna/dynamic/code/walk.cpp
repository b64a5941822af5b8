#include "lacuna/dynamic/code/walk.h"

namespace lacuna::schema {
namespace {

void add(std::vector<const CodeExpr*>& parts, const CodeExprs& from) {
  for (const CodeExpr& each : from) parts.push_back(&each);
}

}  // namespace

std::vector<const CodeExpr*> parts_of(const CodeExpr& expr) {
  std::vector<const CodeExpr*> parts;
  if (const auto* node = std::get_if<Operation>(&expr.kind)) add(parts, node->operands);
  if (const auto* node = std::get_if<At>(&expr.kind)) add(parts, node->parts);
  if (const auto* node = std::get_if<CallExpr>(&expr.kind)) add(parts, node->arguments);
  if (const auto* node = std::get_if<IsNode>(&expr.kind)) add(parts, node->operand);
  if (const auto* node = std::get_if<Access>(&expr.kind)) {
    add(parts, node->base);
    add(parts, node->index);
  }
  return parts;
}

std::vector<const CodeExpr*> expressions_of(const CodeStmt& statement) {
  if (const auto* node = std::get_if<LetStmt>(&statement.kind)) return {&node->value};
  if (const auto* node = std::get_if<AssignStmt>(&statement.kind)) return {&node->target, &node->value};
  if (const auto* node = std::get_if<IfStmt>(&statement.kind)) return {&node->condition.expr};
  if (const auto* node = std::get_if<WhileStmt>(&statement.kind)) return {&node->condition.expr};
  if (const auto* node = std::get_if<DeleteStmt>(&statement.kind)) return {&node->node};
  if (const auto* node = std::get_if<CallStmt>(&statement.kind)) return {&node->call};
  const auto* result = std::get_if<ReturnStmt>(&statement.kind);
  if (result != nullptr && result->value) return {&*result->value};
  return {};
}

std::vector<const CodeBlock*> blocks_of(const CodeStmt& statement) {
  if (const auto* node = std::get_if<IfStmt>(&statement.kind)) return {&node->then_branch, &node->else_branch};
  if (const auto* node = std::get_if<WhileStmt>(&statement.kind)) return {&node->body};
  return {};
}

void for_each(const CodeExpr& expr, const std::function<void(const CodeExpr&)>& visit) {
  visit(expr);
  for (const CodeExpr* part : parts_of(expr)) for_each(*part, visit);
}

void for_each(const CodeBlock& block, const std::function<void(const CodeStmt&)>& visit) {
  for (const CodeStmt& statement : block) {
    visit(statement);
    for (const CodeBlock* inside : blocks_of(statement)) for_each(*inside, visit);
  }
}

}  // namespace lacuna::schema

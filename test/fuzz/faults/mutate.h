#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"

namespace lacuna::fuzz {

/// What an expression or statement becomes; none where it stays as it is.
using ChangeExpr = std::function<std::optional<loop::Expr>(const loop::Expr&)>;
using ChangeStmt = std::function<std::optional<loop::Stmt>(const loop::Stmt&)>;

/// Changes a module everywhere; says whether anything changed.
bool mutate(loop::Module& module, const ChangeExpr& change);
bool mutate(loop::Module& module, const ChangeStmt& change);

/// No statement.
inline loop::Stmt nothing() { return loop::block({}); }

// Kernels name variables for what they are; faults find their places by these names.
inline bool starts_with(const std::string& name, const std::string& prefix) { return name.rfind(prefix, 0) == 0; }
/// Whether the name is `…ending`, perhaps numbered ("pA2_end_3").
bool ends_with(const std::string& name, const std::string& ending);

/// The node as a Node, or null.
template <typename Node>
const Node* as_node(const loop::Expr& e) {
  return e.defined() ? std::get_if<Node>(&e.node().kind) : nullptr;
}
template <typename Node>
const Node* as_node(const loop::Stmt& s) {
  return s ? std::get_if<Node>(&s->kind) : nullptr;
}
inline const loop::Binary* as_binary(const loop::Expr& e, loop::BinaryOp op) {
  const auto* b = as_node<loop::Binary>(e);
  return b != nullptr && b->op == op ? b : nullptr;
}
/// The same node over other operands.
loop::Expr rebuilt(const loop::Expr& like, loop::Binary node);
/// The name of the variable that the expression is, or an empty string.
std::string variable_name(const loop::Expr& e);
/// Whether a variable whose name ends so occurs in the expression.
bool mentions(const loop::Expr& e, const std::string& ending);

}  // namespace lacuna::fuzz

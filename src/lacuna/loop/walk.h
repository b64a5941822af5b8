#pragma once

#include <functional>
#include <vector>

#include "lacuna/loop/ir.h"

/// Walks over trees, for passes that care about a few kinds of node.
namespace lacuna::loop {

/// The direct operands of an expression, indices of loads included, in the order of evaluation.
std::vector<Expr> children(const Expr& expr);
/// The matrices of a product, the target first.
std::vector<Matrix> matrices(const MatrixProduct& product);
/// The expressions that a statement itself evaluates (not those of the statements inside).
std::vector<Expr> expressions(const Stmt& stmt);
/// The statements directly inside a statement.
std::vector<Stmt> statements(const Stmt& stmt);

/// Calls `visit` for `expr` and everything inside it, outermost first.
void for_each(const Expr& expr, const std::function<void(const Expr&)>& visit);
/// Calls `visit` for `stmt` and every statement inside it, outermost first.
void for_each(const Stmt& stmt, const std::function<void(const Stmt&)>& visit);
/// Calls `visit` for every expression at any depth inside `stmt`.
void for_each_expression(const Stmt& stmt, const std::function<void(const Expr&)>& visit);

/// Structural equality: the same tree over the same variables. (A call equals itself; whether it gives the same value
/// twice is another question, see `is_pure`.)
bool same(const Expr& a, const Expr& b);

/// Whether the expression neither calls functions nor reads memory nor can fail: it may be dropped, moved or copied.
bool is_pure(const Expr& expr);

/// Rebuilds trees bottom-up. What does not change is shared, so an unchanged tree comes back as the same node.
class Rewriter {
 public:
  virtual ~Rewriter() = default;
  /// Rewrites the operands, then offers the node to `rebuilt`.
  Expr rewrite(const Expr& expr);
  /// Rewrites what is inside, then offers the statement to `rebuilt`. Null stays null.
  virtual Stmt rewrite(const Stmt& stmt);

 protected:
  virtual Expr rebuilt(Expr expr) { return expr; }
  virtual Stmt rebuilt(Stmt stmt) { return stmt; }
};

}  // namespace lacuna::loop

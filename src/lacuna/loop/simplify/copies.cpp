#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/simplify/usage.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop::simplifier {
namespace {

/// What may stand for each variable that is a copy: a variable that does not change either while the copy is visible
/// (a parameter, a variable declared once, the variable of a loop), or a constant.
std::map<Var, Expr> copies(const Stmt& body, const Usages& used) {
  std::map<Var, Expr> found;
  std::map<Var, int> loops;
  for_each(body, [&](const Stmt& stmt) {
    if (const auto* loop = std::get_if<For>(&stmt->kind)) loops[loop->var]++;
  });
  const auto is_constant_variable = [&](const Var& var) {
    const Usage& usage = used.at(var);
    return usage.declarations <= 1 && usage.assignments == loops[var] && !var.type().is_memory();
  };
  for_each(body, [&](const Stmt& stmt) {
    const auto* node = std::get_if<Declare>(&stmt->kind);
    if (!node || !node->init.defined()) return;
    const Usage& usage = used.at(node->var);
    if (usage.declarations != 1 || usage.assignments != 0) return;
    const auto* use = std::get_if<VarUse>(&node->init.node().kind);
    const auto original = use ? found.find(use->var) : found.end();
    const bool is_constant = std::holds_alternative<Constant>(node->init.node().kind);
    if (original != found.end()) found.emplace(node->var, original->second);
    else if (is_constant || (use && is_constant_variable(use->var))) found.emplace(node->var, node->init);
  });
  return found;
}

class Substitution : public Rewriter {
 public:
  explicit Substitution(const std::map<Var, Expr>& values) : values_(values) {}

 protected:
  using Rewriter::rebuilt;
  Expr rebuilt(Expr expr) override {
    const auto* use = std::get_if<VarUse>(&expr.node().kind);
    const auto value = use ? values_.find(use->var) : values_.end();
    return value == values_.end() ? expr : value->second;
  }

 private:
  const std::map<Var, Expr>& values_;
};

}  // namespace

Stmt with_values(const Stmt& stmt, const std::map<Var, Expr>& values) { return Substitution(values).rewrite(stmt); }

Stmt propagate_copies(const Stmt& body) {
  const std::map<Var, Expr> found = copies(body, usages(body));
  return found.empty() ? body : with_values(body, found);
}

}  // namespace lacuna::loop::simplifier

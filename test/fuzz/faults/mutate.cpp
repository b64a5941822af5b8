#include "fuzz/faults/mutate.h"

#include <cctype>

namespace lacuna::fuzz {
namespace {

class ExprMutator final : public loop::Rewriter {
 public:
  explicit ExprMutator(const ChangeExpr& change) : change_(change) {}
  bool changed() const { return changed_; }

 protected:
  loop::Expr rebuilt(loop::Expr e) override {
    std::optional<loop::Expr> now = change_(e);
    changed_ = changed_ || now.has_value();
    return now ? *now : e;
  }
  loop::Stmt rebuilt(loop::Stmt s) override { return s; }

 private:
  const ChangeExpr& change_;
  bool changed_ = false;
};

class StmtMutator final : public loop::Rewriter {
 public:
  explicit StmtMutator(const ChangeStmt& change) : change_(change) {}
  bool changed() const { return changed_; }

 protected:
  loop::Expr rebuilt(loop::Expr e) override { return e; }
  loop::Stmt rebuilt(loop::Stmt s) override {
    std::optional<loop::Stmt> now = change_(s);
    changed_ = changed_ || now.has_value();
    return now ? *now : s;
  }

 private:
  const ChangeStmt& change_;
  bool changed_ = false;
};

template <typename Mutator, typename Change>
bool mutate_with(loop::Module& module, const Change& change) {
  Mutator mutator(change);
  module.body = static_cast<loop::Rewriter&>(mutator).rewrite(module.body);
  for (loop::Function& f : module.functions) f.body = static_cast<loop::Rewriter&>(mutator).rewrite(f.body);
  return mutator.changed();
}

}  // namespace

bool mutate(loop::Module& module, const ChangeExpr& change) { return mutate_with<ExprMutator>(module, change); }
bool mutate(loop::Module& module, const ChangeStmt& change) { return mutate_with<StmtMutator>(module, change); }

bool ends_with(const std::string& name, const std::string& ending) {
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
  if (end == 0 || end == name.size() || name[end - 1] != '_') end = name.size();
  else --end;
  return end >= ending.size() && name.compare(end - ending.size(), ending.size(), ending) == 0;
}

loop::Expr rebuilt(const loop::Expr& like, loop::Binary node) {
  return loop::Expr(std::make_shared<const loop::ExprNode>(loop::ExprNode{std::move(node), like.type()}));
}

std::string variable_name(const loop::Expr& e) {
  const auto* use = as_node<loop::VarUse>(e);
  return use != nullptr ? use->var.name() : std::string();
}

bool mentions(const loop::Expr& e, const std::string& ending) {
  bool found = false;
  loop::for_each(e, [&](const loop::Expr& x) { found = found || ends_with(variable_name(x), ending); });
  return found;
}

}  // namespace lacuna::fuzz

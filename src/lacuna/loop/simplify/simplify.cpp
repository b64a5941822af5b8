#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/simplify/rules.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

namespace lacuna::loop {
namespace {

constexpr std::optional<Expr> (*expression_rules[])(const Expr&) = {
    simplifier::fold_constants,      simplifier::simplify_arithmetic, simplifier::simplify_condition,
    simplifier::simplify_conversion, simplifier::simplify_select,
};

/// Every rule that looks at one node, from the leaves up.
class Local : public Rewriter {
 public:
  explicit Local(const simplifier::Usages& used) : used_(used) {}

 protected:
  Expr rebuilt(Expr expr) override {
    for (const auto& rule : expression_rules) {
      if (auto simpler = rule(expr)) return rebuilt(std::move(*simpler));
    }
    return expr;
  }
  Stmt rebuilt(Stmt stmt) override {
    Stmt simpler = simplifier::simplify_control(stmt, used_);
    return simpler ? simplifier::know_conditions(simpler) : block({});
  }

 private:
  const simplifier::Usages& used_;
};

Stmt simplified(Stmt body) {
  if (!body) return body;
  // Every rule removes something or moves it one way only; the bound guards against a pair that undo each other.
  for (int round = 0; round < 1000; round++) {
    const Stmt before = body;
    const simplifier::Usages used = simplifier::usages(body);
    body = Local(used).rewrite(body);
    body = simplifier::propagate_copies(body);
    body = simplifier::remove_dead_variables(body);
    if (body == before) return body;
  }
  throw InternalError("internal error: simplifying does not end");
}

}  // namespace

Module simplify(const Module& module) {
  Module simple = module;
  for (Function& each : simple.functions) each.body = simplified(each.body);
  simple.body = simplified(simple.body);
  return simple;
}

}  // namespace lacuna::loop

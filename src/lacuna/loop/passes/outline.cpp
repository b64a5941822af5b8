#include "lacuna/loop/passes.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

void reserve_names(NameSupply& names, const Stmt& body) {
  for_each(body, [&](const Stmt& stmt) {
    if (const auto* declare = std::get_if<Declare>(&stmt->kind)) names.reserve(declare->var.name());
    if (const auto* loop = std::get_if<For>(&stmt->kind)) names.reserve(loop->var.name());
  });
}

/// No task may be called like anything in the module.
NameSupply names_of(const Module& module) {
  NameSupply names;
  names.reserve(module.name);
  for (const std::string& each : module.arguments) names.reserve(each);
  for (const auto& each : module.records) names.reserve(each->name);
  for (const Parameter& each : module.parameters) names.reserve(each.var.name());
  for (const Function& each : module.functions) {
    names.reserve(each.name);
    for (const Var& parameter : each.parameters) names.reserve(parameter.name());
    reserve_names(names, each.body);
  }
  reserve_names(names, module.body);
  return names;
}

class Outliner final : public Rewriter {
 public:
  explicit Outliner(const Module& module) : module_(module), names_(names_of(module)) {}

  Stmt rewrite(const Stmt& stmt) override {
    const auto* loop = stmt ? std::get_if<For>(&stmt->kind) : nullptr;
    if (loop == nullptr || loop->mode != LoopMode::Parallel) return Rewriter::rewrite(stmt);
    For outlined = *loop;
    outlined.task =
        std::make_shared<const Task>(Task{names_.unique(module_.name + "_" + loop->var.name()), captured_by(*loop)});
    return make_stmt(std::move(outlined));
  }

 private:
  const Module& module_;
  NameSupply names_;
};

}  // namespace

Module outline(const Module& module) {
  Module changed = module;
  Outliner pass(module);
  changed.body = pass.rewrite(changed.body);
  for (Function& each : changed.functions) each.body = pass.rewrite(each.body);
  return changed;
}

}  // namespace lacuna::loop

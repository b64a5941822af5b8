#include "lacuna/loop/passes.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

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

#include "lacuna/lower/nest/unneeded.h"

#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"

namespace lacuna {
namespace {

bool is_empty(const loop::Stmt& stmt) {
  const auto* block = stmt == nullptr ? nullptr : std::get_if<loop::Block>(&stmt->kind);
  return block != nullptr && block->statements.empty();
}

class Dropper final : public loop::Rewriter {
 public:
  explicit Dropper(const std::set<loop::Var>& unneeded) : unneeded_(unneeded) {}

 private:
  loop::Stmt rebuilt(loop::Stmt stmt) override {
    const loop::Var* var = nullptr;
    if (const auto* declare = std::get_if<loop::Declare>(&stmt->kind)) var = &declare->var;
    if (const auto* allocate = std::get_if<loop::Allocate>(&stmt->kind)) var = &allocate->array;
    if (const auto* release = std::get_if<loop::Release>(&stmt->kind)) var = &release->array;
    if (var != nullptr && unneeded_.contains(*var)) return loop::block({});
    if (const auto* parallel = std::get_if<loop::For>(&stmt->kind)) {
      if (!is_empty(parallel->setup) && !is_empty(parallel->teardown)) return stmt;
      loop::For changed = *parallel;
      if (is_empty(changed.setup)) changed.setup = nullptr;
      if (is_empty(changed.teardown)) changed.teardown = nullptr;
      return std::make_shared<const loop::StmtNode>(loop::StmtNode{std::move(changed)});
    }
    return stmt;
  }

  const std::set<loop::Var>& unneeded_;
};

}  // namespace

loop::Stmt without_unneeded(const loop::Stmt& stmt, const std::set<loop::Var>& unneeded) {
  return unneeded.empty() ? stmt : Dropper(unneeded).rewrite(stmt);
}

}  // namespace lacuna

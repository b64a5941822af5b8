#include <algorithm>
#include <set>

#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

bool is_stream(const Stmt& s) {
  const auto* store = std::get_if<Store>(&s->kind);
  return store != nullptr && store->past_caches.defined();
}

bool has_streams(const Stmt& s) {
  bool found = false;
  for_each(s, [&](const Stmt& each) { found = found || is_stream(each); });
  return found;
}

/// Arrays that the kernel makes: how large they are is not known before.
std::set<Var> made_arrays(const Module& module) {
  std::set<Var> made;
  for (const Parameter& each : module.parameters)
    if (each.out) made.insert(each.var);
  for_each(module.body, [&](const Stmt& s) {
    if (const auto* allocate = std::get_if<Allocate>(&s->kind)) made.insert(allocate->array);
  });
  return made;
}

/// The stores of whole vectors, to arrays that were there before.
std::set<const StmtNode*> whole_vectors(const Module& module) {
  const std::set<Var> made = made_arrays(module);
  std::set<const StmtNode*> found;
  for_each(module.body, [&](const Stmt& s) {
    const auto* loop = std::get_if<For>(&s->kind);
    if (loop == nullptr || loop->lanes == 0) return;
    for_each(loop->body, [&](const Stmt& inner) {
      if (is_stream(inner) && !made.contains(std::get<Store>(inner->kind).array)) found.insert(inner.get());
    });
  });
  return found;
}

class Streams final : public Rewriter {
 public:
  explicit Streams(std::set<const StmtNode*> kept) : kept_(std::move(kept)) {}

 private:
  Stmt rebuilt(Stmt stmt) override {
    if (is_stream(stmt) && !kept_.contains(stmt.get())) {
      Store cached = std::get<Store>(stmt->kind);
      cached.past_caches = Expr();
      return make_stmt(std::move(cached));
    }
    const auto* loop = std::get_if<For>(&stmt->kind);
    if (loop == nullptr || loop->mode != LoopMode::Parallel || !has_streams(loop->body)) return stmt;
    For fenced = *loop;
    fenced.teardown = block({fenced.teardown, make_stmt(Fence{})});
    return make_stmt(std::move(fenced));
  }

  std::set<const StmtNode*> kept_;
};

/// Whether a thread of its own makes every such store.
bool streams_in_tasks_only(const Stmt& s) {
  if (const auto* loop = std::get_if<For>(&s->kind); loop != nullptr && loop->mode == LoopMode::Parallel) return true;
  const std::vector<Stmt> inside = statements(s);
  return !is_stream(s) && std::all_of(inside.begin(), inside.end(), streams_in_tasks_only);
}

}  // namespace

Module stream_stores(const Module& module) {
  Module changed = module;
  Streams pass(whole_vectors(module));
  changed.body = pass.rewrite(changed.body);
  if (!streams_in_tasks_only(changed.body)) changed.body = block({changed.body, make_stmt(Fence{})});
  return changed;
}

}  // namespace lacuna::loop

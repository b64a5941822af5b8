#include <algorithm>

#include "lacuna/loop/array_use.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

/// Whether threads add what they have of their own to what all share.
bool stores_atomically(const Stmt& stmt) {
  bool found = false;
  for_each(stmt, [&](const Stmt& each) {
    const auto* store = std::get_if<Store>(&each->kind);
    found = found || (store != nullptr && store->atomic);
  });
  return found;
}

/// Whether a value depends on which iterations come together.
bool is_ordered_sum(const Reduction& each) { return each.op == StoreOp::Add && !is_integer(each.var.type().scalar); }

/// Whether all that the loop does with a thread's own array is to add to its elements.
bool can_reuse_total(const For& loop, const Var& own) {
  const auto only_adds = [&](const Stmt& stmt) { return !stmt || only_adds_to(stmt, own); };
  return only_adds(loop.setup) && only_adds(loop.body) && only_adds(loop.teardown);
}

class Partitioner final : public Rewriter {
  Stmt rebuilt(Stmt stmt) override {
    const auto* loop = std::get_if<For>(&stmt->kind);
    if (loop == nullptr || loop->mode != LoopMode::Parallel) return stmt;
    For shared = *loop;
    const bool adds_at_end = shared.teardown && stores_atomically(shared.teardown);
    shared.ordered = adds_at_end || !shared.reductions.empty();
    // Rows of sparse tensors differ too much in work for equal shares, but handing out a share costs as much as some
    // dozen entries: loops that say no grain and do nothing else than reduce are shared once.
    shared.fixed = adds_at_end || !shared.sums.empty() ||
                   std::any_of(shared.reductions.begin(), shared.reductions.end(), is_ordered_sum) ||
                   (shared.grain == 0 && !shared.reductions.empty());
    for (OwnSum& each : shared.sums) each.reuses = can_reuse_total(*loop, each.own);
    return make_stmt(std::move(shared));
  }
};

}  // namespace

Module partition(const Module& module) {
  Module changed = module;
  Partitioner pass;
  changed.body = pass.rewrite(changed.body);
  for (Function& each : changed.functions) each.body = pass.rewrite(each.body);
  return changed;
}

}  // namespace lacuna::loop

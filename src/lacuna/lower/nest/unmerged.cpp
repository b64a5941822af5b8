#include "lacuna/lower/nest/unmerged.h"

#include "lacuna/concrete/structure.h"
#include "lacuna/lower/nest/body.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/prefetch.h"
#include "lacuna/lower/nest/sharing.h"
#include "lacuna/lower/workspace/workspace.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// The loop over every coordinate of a tile.
void emit_tile(OpenLoop& loop, Statements& out) {
  const std::string& name = loop.forall.var.name();
  internal_check(loop.cursors.all().empty(), "the loop over {} adds to a tile and follows cursors", name);
  loop::LoopOptions options = execution_of(loop.context, loop.forall, loop.scope);
  TileState& tile = *loop.scope.tile;
  const loop::Var at = loop.context.fresh_index(tile.counter);
  tile.at = at;
  if (!std::holds_alternative<loop::Constant>(tile.count.node().kind)) options.unroll = 0;
  const loop::Var v = loop.context.fresh_index(name);
  const Statements inside{loop::declare(v, tile.first + loop::Expr(at)), body_at(loop, v, {}, true)};
  out.push_back(loop::for_loop(at, loop::Expr(0), tile.count, loop::block(inside), options));
}

/// The scalar that an innermost loop over dense operands adds to: compilers do not reorder floating-point sums by
/// themselves, so the loop says that it may be (semantics.md leaves the order of a sum open).
std::vector<loop::Reduction> vector_reductions(const OpenLoop& loop) {
  const auto* assign = std::get_if<concrete::Assign>(&loop.forall.body->kind);
  if (assign == nullptr || !assign->accumulate || !loop.cursors.all().empty()) return {};
  const auto scalar = loop.scope.scalars.find(assign->target.tensor);
  if (scalar == loop.scope.scalars.end() || !is_float(scalar->second.value.type().scalar)) return {};
  if (scalar->second.has || scalar->second.structural) return {};
  for (const Access& a : accesses(assign->rhs)) {
    const int p = loop.context.path_of(a);
    if (p < 0) continue;
    const Format& format = loop.context.program().at(a.tensor).format;
    for (int k = loop.scope.paths[static_cast<std::size_t>(p)].level; k < format.order(); ++k)
      if (!format.level(k).full()) return {};
  }
  return {{scalar->second.value, loop::StoreOp::Add}};
}

/// What a loop over every coordinate does at one, with cursors that follow along.
void emit_at_coordinate(OpenLoop& loop, const loop::Var& v, Statements& out) {
  const std::vector<int> following = numbers(loop.lattice.following);
  Presences present;
  for (const int c : following) {
    const Cursor& cursor = loop.cursors[c];
    const std::string name = "has_" + cursor.position.name().substr(1);
    const loop::Var flag = loop.context.fresh(name, loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(flag, cursor.live() && loop::eq(cursor.coordinate(), v)));
    present.emplace(c, flag);
  }
  loop.cursors.find_run_ends(loop.lattice.following, v, out);
  out.push_back(body_at(loop, v, present, true));
  for (const int c : following) {
    const loop::Stmt next = loop.cursors[c].next();
    out.push_back(loop.cursors[c].unique ? loop::if_then(present.at(c), next) : next);
  }
}

/// The results that the loop's iterations, one by one, append to.
SharedResults appended_by_each(const OpenLoop& loop, const loop::Expr& iterations, Statements& out) {
  return {
      appended_results(loop.results, loop.forall), {&forall_of(loop.node), iterations, loop::Expr(0), nullptr}, out};
}

/// Takes back the entry that the loop stands at, where the loop is all that is done with a workspace and visits each
/// entry once: so it leaves the workspace empty. Else null.
loop::Stmt forget_entry(OpenLoop& loop, const Cursor& cursor, const loop::Expr& coordinate) {
  const Workspace* workspace = cursor.at.workspace;
  if (workspace == nullptr || workspace->order() != 1 || loop.window || workspace->consumer == nullptr ||
      workspace->consumer->body != loop.forall.body)
    return nullptr;
  Scope scope = loop.scope;
  scope.coordinate[loop.forall.var] = coordinate;
  const loop::Stmt forget = workspace->forget(workspace->key_of(cursor.at.path, scope));
  if (forget) loop.scope.workspaces.at(cursor.at.path.tensor)->is_emptied = true;
  return forget;
}

}  // namespace

void emit_full(OpenLoop& loop, Statements& out) {
  const IndexVar& var = loop.forall.var;
  if (loop.scope.tile && loop.scope.tile->along == var) return emit_tile(loop, out);
  loop::LoopOptions options = execution_of(loop.context, loop.forall, loop.scope);
  loop.cursors.open(loop.lattice.following, out);
  const loop::Var v = loop.context.fresh_index(var.name());
  Statements inside;
  loop::Expr first = loop.low(), past = loop.high();
  loop::Var counter = v;
  if (loop.window && loop.window->length > 0) {
    counter = loop.context.fresh_index(var.name() + "_in");
    inside.push_back(loop::declare(v, first + loop::Expr(counter)));
    first = loop::Expr(0);
    past = loop::Expr(loop.window->length);
  }
  SharedResults appended = appended_by_each(loop, past - first, out);
  appended.enter(loop::Expr(counter) - first, inside);
  emit_at_coordinate(loop, v, inside);
  appended.leave(loop::Expr(counter) - first, inside);
  const std::vector<loop::Reduction> reductions = vector_reductions(loop);
  if (options.mode == loop::LoopMode::Serial && options.unroll == 0 && !reductions.empty()) {
    options.mode = loop::LoopMode::Vector;
    options.reductions = reductions;
  }
  out.push_back(loop::for_loop(counter, first, past, loop::block(std::move(inside)), options));
  appended.after(out);
}

void emit_single(OpenLoop& loop, int c, Statements& out) {
  const loop::LoopOptions options = execution_of(loop.context, loop.forall, loop.scope);
  Cursor& cursor = loop.cursors[c];
  const CursorSet following = loop.lattice.following;
  const auto range = cursor.range();
  const bool is_counted = cursor.unique && range;
  loop.cursors.open(following | (is_counted ? 0 : only(c)), out);
  Statements inside;
  if (loop.forall.how.prefetch > 0)
    prefetch_ahead(loop.context, loop.forall, cursor.at, cursor.position, loop.scope, inside);
  const loop::Var v = loop.context.named(loop.forall.var.name(), cursor.coordinate(), inside);
  cursor.find_run_end(v, inside);
  loop.cursors.catch_up(following, v, inside);
  if (!is_counted) {
    inside.push_back(body_at(loop, v, loop.cursors.presences(only(c), following, v)));
    inside.push_back(cursor.next());
    out.push_back(loop::while_loop(cursor.live(), loop::block(std::move(inside))));
    return;
  }
  SharedResults appended = appended_by_each(loop, range->second - range->first, out);
  const loop::Expr iteration = loop::Expr(cursor.position) - range->first;
  appended.enter(iteration, inside);
  inside.push_back(body_at(loop, v, loop.cursors.presences(only(c), following, v)));
  appended.leave(iteration, inside);
  if (options.mode == loop::LoopMode::Serial) inside.push_back(forget_entry(loop, cursor, v));
  out.push_back(loop::for_loop(cursor.position, range->first, range->second, loop::block(std::move(inside)), options));
  appended.after(out);
}

}  // namespace lacuna

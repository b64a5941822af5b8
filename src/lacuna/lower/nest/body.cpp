#include "lacuna/lower/nest/body.h"

#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// Turns the positions of cursors in lists of keys into positions of entries.
void find_entries(const Cursors& cursors, Scope& scope, Statements& out) {
  for (const auto& cursor : cursors.all()) {
    const Workspace* workspace = cursor->at.workspace;
    if (workspace == nullptr || cursor->at.level + 1 < workspace->order()) continue;
    Handle& at = scope.paths[static_cast<std::size_t>(cursor->path)].at;
    if (loop::is_false(at.present)) continue;
    at.pos = workspace->position_of(workspace->key_of(cursor->at.path, scope), out);
  }
}

/// Resolves the next level of a path that reads a workspace: an entry is found once all of its coordinates are known.
void resolve_in_workspace(const Workspace& workspace, const Path& path, const Scope& scope, PathState& state,
                          Statements& out) {
  const loop::Expr parent = state.at.present;
  if (loop::is_false(parent)) return;
  state.at = {loop::Expr(0), {}, parent && workspace.present_at(path, state.level, scope, out)};
  if (state.level + 1 < workspace.order()) return;
  const auto [position, present] = workspace.locate(workspace.key_of(path, scope), out);
  state.at = {position, {}, state.at.present && present};
}

/// `at`: what each cursor of the loop leads to.
loop::Stmt body_with(OpenLoop& loop, const loop::Expr& coordinate, const std::vector<Handle>& at, bool covers,
                     const IsRun& is_run) {
  Scope scope = loop.scope;
  scope.coordinate[loop.forall.var] = coordinate;
  scope.covers = loop.scope.covers && covers && loop.scope.positions.empty();
  for (std::size_t c = 0; c < at.size(); ++c) {
    PathState& state = scope.paths[static_cast<std::size_t>(loop.cursors.all()[c]->path)];
    ++state.level;
    state.at = at[c];
  }
  const concrete::Stmt& stmt = loop.forall.body;
  return loop.results.iteration(loop.forall, scope, [&](const Scope& inside) {
    Scope inner = inside;
    Statements out;
    find_entries(loop.cursors, inner, out);
    resolve_located(loop.context, stmt, inner, out);
    const loop::Expr runs = is_run && is_run(inner) ? loop::Expr(true) : may_run(loop.context, stmt, inner);
    inner.covers = inner.covers && loop::is_true(runs);
    Statements statements;
    lower_statement(loop.context, loop.results, loop.node.children[0], inner, statements);
    out.push_back(loop::if_then(runs, loop::block(std::move(statements))));
    return loop::block(std::move(out));
  });
}

}  // namespace

loop::Stmt body_at(OpenLoop& loop, const loop::Expr& coordinate, const Presences& present, bool covers,
                   const IsRun& is_run) {
  Statements out;
  std::vector<Handle> at(loop.cursors.all().size(), {loop::Expr(0), {}, loop::Expr(false)});
  for (const auto& [c, is_there] : present)
    if (!loop::is_false(is_there)) at[static_cast<std::size_t>(c)] = loop.cursors[c].handle(is_there, out);
  out.push_back(body_with(loop, coordinate, at, covers, is_run));
  return loop::block(std::move(out));
}

loop::Stmt body_at(OpenLoop& loop, const loop::Expr& coordinate, const Handle& element) {
  return body_with(loop, coordinate, {element}, false, nullptr);
}

void resolve_located(Context& context, const concrete::Stmt& stmt, Scope& scope, Statements& out) {
  const std::vector<int> reads = context.paths().reads(stmt);
  for (std::size_t p = 0; p < reads.size(); ++p) {
    if (reads[p] == 0) continue;
    const Path& path = context.paths()[p];
    PathState& state = scope.paths[p];
    while (state.level < static_cast<int>(path.variables.size())) {
      const auto bound = scope.coordinate.find(path.variables[static_cast<std::size_t>(state.level)]);
      if (bound == scope.coordinate.end()) break;
      if (const auto w = scope.workspaces.find(path.tensor); w != scope.workspaces.end()) {
        resolve_in_workspace(*w->second, path, scope, state, out);
      } else if (!loop::is_false(state.at.present)) {
        const LevelAt at{path, state.level, context.program().at(path.tensor).format.level(state.level)};
        state.at = level_code(at.format.kind).locate(context, at, state.at, bound->second, out);
      }
      ++state.level;
    }
  }
}

}  // namespace lacuna

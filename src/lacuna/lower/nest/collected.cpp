// How loops run through what sparse workspaces collected.

#include "lacuna/concrete/structure.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/positions.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {

/// The keys under the coordinates above: those that the loop outside stands at, or else a search for them.
std::pair<loop::Expr, loop::Expr> LoopLowerer::collected_range(const LevelAt& at, const Handle& parent) {
  if (at.level == 0) return {loop::Expr(0), at.workspace->count()};
  if (parent.is_range())
    return {where_present(parent, parent.pos, loop::Expr(0)), where_present(parent, parent.end, loop::Expr(0))};
  const std::string name = at.position_name();
  const loop::Var begin = context_.fresh_index(name + "_begin"), end = context_.fresh_index(name + "_end");
  const auto find = [&](const loop::Expr& from, const loop::Expr& coordinate) {
    return first_position(context_, at, from, at.workspace->count(), coordinate, scope_);
  };
  before_.push_back(loop::declare(begin, find(loop::Expr(0), context_.low(forall_.var))));
  before_.push_back(loop::declare(end, find(begin, context_.high(forall_.var))));
  return {begin, end};
}

/// Keys are taken as they were listed where one loop of its own runs through all of them and hands them on in any
/// order.
void LoopLowerer::ask_for_order() {
  const bool alone = open_.size() == 1 && is_counted() && !window_ && !needs_order(context_.program(), forall_.body);
  for (const Open& o : open_)
    if (o.at.workspace != nullptr && !(alone && o.at.workspace->order() == 1))
      scope_.workspaces.at(o.at.path.tensor)->needs_order = true;
}

/// Where the loop is all that is done with a workspace and comes to each entry once, it leaves the workspace empty.
loop::Stmt LoopLowerer::forget_entry(const Open& o, const loop::Expr& coordinate) const {
  if (o.at.workspace == nullptr || o.at.workspace->order() != 1 || window_ || scope_.consumer == nullptr ||
      scope_.consumer->body != forall_.body)
    return nullptr;
  Scope scope = scope_;
  scope.coordinate[forall_.var] = coordinate;
  const loop::Stmt forget = o.at.workspace->forget(o.at.workspace->key_of(o.at.path, scope));
  if (forget) scope_.workspaces.at(o.at.path.tensor)->is_emptied = true;
  return forget;
}

/// Turns positions in lists of keys into positions of entries.
void LoopLowerer::find_entries(Scope& scope, Statements& out) const {
  for (const Open& o : open_) {
    if (o.at.workspace == nullptr || o.at.level + 1 < o.at.workspace->order()) continue;
    Handle& at = scope.paths[static_cast<std::size_t>(o.cursor.path)].at;
    if (loop::is_false(at.present)) continue;
    at.pos = o.at.workspace->position_of(o.at.workspace->key_of(o.at.path, scope), out);
  }
}

/// An entry is found once all of its coordinates are known.
void resolve_in_workspace(const Workspace& workspace, const Path& path, const Scope& scope, PathState& state,
                          Statements& out) {
  const loop::Expr parent = state.at.present;
  if (loop::is_false(parent)) return;
  state.at = {loop::Expr(0), {}, parent && workspace.present_at(path, state.level, scope, out)};
  if (state.level + 1 < workspace.order()) return;
  const auto [position, present] = workspace.locate(workspace.key_of(path, scope), out);
  state.at = {position, {}, state.at.present && present};
}

}  // namespace lacuna

// What a loop walks of its levels, where positions are counted outside or a window is left.

#include <utility>

#include "lacuna/concrete/level_order.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/positions.h"

namespace lacuna {

/// The first loop over coordinates whose positions are counted outside: says which positions of each level are left,
/// from the last level up.
void LoopLowerer::narrow_to_positions() {
  for (const concrete::Derivation& d : context_.program().provenance.all()) {
    const auto* counted = std::get_if<concrete::Position>(&d);
    if (counted == nullptr) continue;
    const int p = context_.path_of(counted->access);
    const Path& path = context_.paths()[static_cast<std::size_t>(p)];
    const auto [first, last] = concrete::counted_levels(context_.program(), *counted);
    const PathState& state = scope_.paths[static_cast<std::size_t>(p)];
    if (state.level != first || !(path.variables[static_cast<std::size_t>(first)] == forall_.var)) continue;
    const auto left = Windows(context_, scope_).of(counted->position);
    if (!left) continue;
    const Window all = positions_under(context_, path, first, last, state.at);
    const std::string name = LevelAt{path, last, context_.program().at(path.tensor).format.level(last)}.position_name();
    const loop::Var begin = context_.fresh_index(name + "_first"), end = context_.fresh_index(name + "_past");
    const loop::Expr start = plus(all.low, left->low);
    const loop::Expr stop = plus(all.low, left->high);
    before_.push_back(loop::declare(begin, start));
    before_.push_back(loop::declare(end, stop));
    scope_.positions[{p, last}] = {begin, end};
    for (int k = last; k > first; --k) narrow_parents(p, first, k);
    const LevelFormat& top = context_.program().at(path.tensor).format.level(first);
    if (!top.full()) continue;
    // Positions of a dense level are coordinates.
    const auto& [from, to] = scope_.positions.at({p, first});
    loop::Expr origin = context_.low(forall_.var);
    if (!loop::is_constant(state.at.pos, 0)) origin = origin - state.at.pos * context_.extent(path.tensor, first);
    const bool shifted = !loop::is_constant(origin, 0);
    window_ = Window{shifted ? from + origin : from, shifted ? to + origin : to};
  }
}

/// The parents of the positions that are left of level k: of the first and of the last of them.
void LoopLowerer::narrow_parents(int p, int first_level, int k) {
  const Path& path = context_.paths()[static_cast<std::size_t>(p)];
  const Format& format = context_.program().at(path.tensor).format;
  const auto [begin, end] = scope_.positions.at({p, k});
  auto& parents = scope_.positions[{p, k - 1}];
  if (format.level(k).branchless()) {
    parents = {begin, end};
    return;
  }
  const std::string name = LevelAt{path, k - 1, format.level(k - 1)}.position_name();
  const loop::Var first = context_.fresh_index(name + "_first"), past = context_.fresh_index(name + "_past");
  if (format.level(k).full()) {
    const loop::Expr extent = context_.extent(path.tensor, k);
    before_.push_back(loop::declare(first, begin / extent));
    before_.push_back(loop::declare(past, (end + extent - loop::Expr(1)) / extent));
  } else {
    // The last q with pos[q] <= p; an empty stretch has no parents.
    const Window all =
        positions_under(context_, path, first_level, k - 1, scope_.paths[static_cast<std::size_t>(p)].at);
    const auto parent = [&](const loop::Expr& from, const loop::Expr& position) {
      return context_.lower_bound(path.tensor, k, DescriptorField::Pos, from, all.high, position + loop::Expr(1)) -
             loop::Expr(1);
    };
    before_.push_back(loop::declare(first, parent(all.low, begin)));
    before_.push_back(
        loop::declare(past, loop::select(begin < end, parent(first, end - loop::Expr(1)) + loop::Expr(1), first)));
  }
  parents = {first, past};
}

/// Lets a cursor walk only what the window leaves of its level.
void LoopLowerer::narrow(Open& open) {
  if (open.nodes != nullptr) return;  // its walk begins and ends at coordinates
  Cursor& cursor = open.cursor;
  const LevelAt& at = open.at;
  const auto left = scope_.positions.find({cursor.path, at.level});
  const std::string& name = cursor.position.name();
  if (left != scope_.positions.end()) {
    const loop::Var begin = context_.fresh_index(name + "_from"), end = context_.fresh_index(name + "_to");
    before_.push_back(loop::declare(begin, loop::max(cursor.begin, left->second.first)));
    before_.push_back(loop::declare(end, loop::min(cursor.end, left->second.second)));
    cursor.begin = begin;
    cursor.end = end;
  }
  // A share of the loop has a window of coordinates beside what is left of its positions.
  if (window_) {
    const loop::Var limit = context_.fresh_index(name + "_limit"), begin = context_.fresh_index(name + "_from");
    const auto find = [&](const loop::Expr& from, const loop::Expr& coordinate) {
      return first_position(context_, at, from, limit, coordinate, scope_);
    };
    const loop::Var end = context_.fresh_index(name + "_to");
    const bool may_be_past = left != scope_.positions.end();  // pieces of positions, past the end
    before_.push_back(loop::declare(limit, may_be_past ? loop::max(cursor.begin, cursor.end) : cursor.end));
    before_.push_back(loop::declare(begin, find(cursor.begin, low())));
    before_.push_back(loop::declare(end, find(begin, high())));
    cursor.begin = begin;
    cursor.end = end;
  }
}

}  // namespace lacuna

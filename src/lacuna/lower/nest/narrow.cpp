// What a loop walks of its levels where positions are counted outside.

#include "lacuna/concrete/level_order.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/nest/loop.h"

namespace lacuna {
namespace {

/// The parents of the positions that are left of level k of a path: those of the first and of the last of them.
Positions parents_of(OpenLoop& loop, int p, int first_level, int k) {
  Context& context = loop.context;
  const Path& path = context.paths()[static_cast<std::size_t>(p)];
  const Format& format = context.program().at(path.tensor).format;
  const auto [begin, end] = loop.scope.positions.at({p, k});
  if (format.level(k).branchless()) return {begin, end};
  const std::string name = LevelAt{path, k - 1, format.level(k - 1)}.position_name();
  if (format.level(k).full()) {
    const loop::Expr extent = context.extent(path.tensor, k);
    const loop::Var first = context.named(name + "_first", begin / extent, loop.before);
    return {first, context.named(name + "_past", (end + extent - loop::Expr(1)) / extent, loop.before)};
  }
  // The last q with pos[q] <= p; an empty stretch has no parents.
  const Window all =
      positions_under(context, path, first_level, k - 1, loop.scope.paths[static_cast<std::size_t>(p)].at);
  const auto parent = [&](const loop::Expr& from, const loop::Expr& position, bool near) {
    return context.lower_bound(path.tensor, k, DescriptorField::Pos, from, all.high, position + loop::Expr(1), near) -
           loop::Expr(1);
  };
  const loop::Var first = context.named(name + "_first", parent(all.low, begin, false), loop.before);
  const loop::Expr past = parent(first, end - loop::Expr(1), true) + loop::Expr(1);
  return {first, context.named(name + "_past", loop::select(begin < end, past, first), loop.before)};
}

/// Where `left` of the positions of levels `first` to `last` are left, the first of which is the loop's.
void narrow_levels(OpenLoop& loop, int p, int first, int last, const Window& left) {
  Context& context = loop.context;
  const Path& path = context.paths()[static_cast<std::size_t>(p)];
  const Format& format = context.program().at(path.tensor).format;
  const Handle& parent = loop.scope.paths[static_cast<std::size_t>(p)].at;
  const Window all = positions_under(context, path, first, last, parent);
  const std::string name = LevelAt{path, last, format.level(last)}.position_name();
  const loop::Var begin = context.named(name + "_first", plus(all.low, left.low), loop.before);
  const loop::Var end = context.named(name + "_past", plus(all.low, left.high), loop.before);
  loop.scope.positions[{p, last}] = {begin, end};
  for (int k = last; k > first; --k) loop.scope.positions[{p, k - 1}] = parents_of(loop, p, first, k);
  if (!format.level(first).full()) return;
  // Positions of a dense level are coordinates.
  const auto& [from, to] = loop.scope.positions.at({p, first});
  loop::Expr origin = context.low(loop.forall.var);
  if (!loop::is_constant(parent.pos, 0)) origin = origin - parent.pos * context.extent(path.tensor, first);
  const bool shifted = !loop::is_constant(origin, 0);
  loop.window = Window{shifted ? from + origin : from, shifted ? to + origin : to};
}

}  // namespace

void narrow_to_positions(OpenLoop& loop) {
  Context& context = loop.context;
  for (const concrete::Derivation& d : context.program().provenance.all()) {
    const auto* counted = std::get_if<concrete::Position>(&d);
    if (counted == nullptr) continue;
    const int p = context.path_of(counted->access);
    const auto [first, last] = concrete::counted_levels(context.program(), *counted);
    const IndexVar& variable = context.paths()[static_cast<std::size_t>(p)].variables[static_cast<std::size_t>(first)];
    if (loop.scope.paths[static_cast<std::size_t>(p)].level != first || !(variable == loop.forall.var)) continue;
    const auto left = Windows(context, loop.scope).of(counted->position);
    if (left) narrow_levels(loop, p, first, last, *left);
  }
}

}  // namespace lacuna

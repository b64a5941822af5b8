// Cursors of a loop: places in levels, each with the coordinate that is next there.

#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/positions.h"

namespace lacuna {

void LoopLowerer::open_cursors(Mask which, Statements& out) {
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(which, c)) continue;
    Open& o = open_[static_cast<std::size_t>(c)];
    if (o.nodes != nullptr) {
      open_walk(o, out);
      continue;
    }
    o.limit = context_.fresh_index(o.cursor.position.name() + "_end");
    out.push_back(loop::declare(o.cursor.position, o.cursor.begin));
    out.push_back(loop::declare(*o.limit, o.cursor.end));
  }
}

loop::Expr LoopLowerer::live(int c) const {
  const Open& o = open_[static_cast<std::size_t>(c)];
  if (o.nodes == nullptr) return loop::Expr(o.cursor.position) < loop::Expr(*o.limit);
  const loop::Expr live = o.nodes->live(*o.walk);
  return window_ ? live && o.nodes->coordinate(*o.walk) < window_->high : live;
}

loop::Expr LoopLowerer::at_head(int c) const {
  const Open& o = open_[static_cast<std::size_t>(c)];
  return o.nodes != nullptr ? o.nodes->coordinate(*o.walk) : coordinate_at(context_, o.at, o.cursor.position);
}

loop::Expr LoopLowerer::matches(int c, const loop::Expr& coordinate) const {
  return loop::eq(*open_[static_cast<std::size_t>(c)].head, coordinate);
}

Handle LoopLowerer::handle_of(int c, const loop::Expr& present, Statements& out) const {
  const Open& o = open_[static_cast<std::size_t>(c)];
  if (visited_) return *visited_;
  if (o.nodes != nullptr) return at_node(c, present, out);
  if (o.cursor.unique) return {o.cursor.position, {}, present};
  return {o.cursor.position, *o.run_end, present};
}

/// The coordinates under the cursors, each in a variable; beyond its end a guarded cursor's head is past every
/// coordinate.
void LoopLowerer::declare_heads(Mask which, bool guarded, Statements& out) {
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(which, c)) continue;
    Open& o = open_[static_cast<std::size_t>(c)];
    o.head = context_.fresh_index(o.cursor.coordinate_name);
    out.push_back(loop::declare(*o.head, guarded ? loop::select(live(c), at_head(c), high()) : at_head(c)));
  }
}

loop::Expr LoopLowerer::smallest_head(Mask which) const {
  loop::Expr smallest;
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(which, c)) continue;
    const loop::Expr head(*open_[static_cast<std::size_t>(c)].head);
    smallest = smallest.defined() ? loop::min(smallest, head) : head;
  }
  return smallest;
}

/// Where the run of positions with this coordinate ends, for the cursors whose coordinates repeat.
void LoopLowerer::find_run_ends(Mask which, const loop::Expr& coordinate, Statements& out) {
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    Open& o = open_[static_cast<std::size_t>(c)];
    if (!has(which, c) || o.cursor.unique) continue;
    o.run_end = context_.fresh_index(o.cursor.position.name() + "_run");
    const loop::Expr end(*o.run_end);
    out.push_back(loop::declare(*o.run_end, o.cursor.position));
    out.push_back(
        loop::while_loop(end < loop::Expr(*o.limit) && loop::eq(coordinate_at(context_, o.at, end), coordinate),
                         loop::increment(*o.run_end)));
  }
}

void LoopLowerer::catch_up(Mask which, const loop::Expr& coordinate, Statements& out) {
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(which, c)) continue;
    const Open& o = open_[static_cast<std::size_t>(c)];
    Statements on;
    if (o.nodes != nullptr) leap(o, coordinate, on);
    const loop::Expr behind = live(c) && at_head(c) < coordinate;
    out.push_back(o.nodes != nullptr ? loop::if_then(behind, loop::block(std::move(on)))
                                     : loop::while_loop(behind, loop::increment(o.cursor.position)));
  }
  find_run_ends(which, coordinate, out);
}

/// To the next position or element.
loop::Stmt LoopLowerer::step(const Open& o) const {
  if (o.nodes == nullptr) return loop::increment(o.cursor.position);
  Statements out;
  o.nodes->next(*o.walk, out);
  return loop::block(std::move(out));
}

/// To the first position or element that is not before a coordinate.
void LoopLowerer::leap(const Open& o, const loop::Expr& coordinate, Statements& out) {
  if (o.nodes != nullptr) return o.nodes->seek(*o.walk, coordinate, out);
  const loop::Expr found = first_position(context_, o.at, o.cursor.position, *o.limit, coordinate, scope_, true);
  out.push_back(loop::assign(o.cursor.position, found));
}

void LoopLowerer::advance(Mask which, const loop::Expr& coordinate, Statements& out) {
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(which, c)) continue;
    const Open& o = open_[static_cast<std::size_t>(c)];
    const bool alone = (which & (which - 1)) == 0;
    if (!o.cursor.unique) out.push_back(loop::assign(o.cursor.position, loop::Expr(*o.run_end)));
    else if (alone) out.push_back(step(o));
    else if (o.nodes != nullptr) out.push_back(loop::if_then(matches(c, coordinate), step(o)));
    else
      out.push_back(loop::assign(o.cursor.position,
                                 loop::Expr(o.cursor.position) + loop::convert(matches(c, coordinate), Type::Int64)));
  }
}

}  // namespace lacuna

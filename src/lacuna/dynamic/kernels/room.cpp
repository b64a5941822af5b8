#include "lacuna/dynamic/kernels/room.h"

#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {
LevelRoom::LevelRoom(const dynamic::DynamicLevel& level, loop::NameSupply& names, loop::Expr may_grow)
    : level_(level), names_(names), may_grow_(std::move(may_grow)) {}

loop::Expr LevelRoom::root_at(const loop::Expr& position) const {
  return loop::as_ref(position, level_.root_type().record);
}

/// Twice as much as before, or more where that is not enough.
loop::Stmt LevelRoom::room(const dynamic::Need& need) const {
  const loop::Expr limit = structure().memory_field(need.limit);
  const loop::Expr most(dynamic::most_room);
  const loop::Var needed(names_.unique("needed"), loop::scalar_type(Type::Int64));
  const loop::Var room(names_.unique("room"), loop::scalar_type(Type::Int64));
  std::vector<loop::Stmt> grow{
      loop::if_then(loop::eq(may_grow_, loop::Expr(0)) || loop::Expr(needed) > most, loop::break_loop()),
      loop::declare(room, loop::min(loop::max(needed, limit * loop::Expr(2)), most))};
  for (const loop::Var& array : need.arrays) grow.push_back(loop::resize(array, room));
  grow.push_back(structure().set_memory_field(need.limit, room));
  return loop::block({loop::declare(needed, structure().memory_field(need.next) + need.more),
                      loop::if_then(loop::Expr(needed) > limit, loop::block(std::move(grow)))});
}

std::vector<loop::Stmt> LevelRoom::for_call(const std::string& function) const {
  std::vector<loop::Stmt> out;
  for (const dynamic::Need& each : level_.needs_of({function})) out.push_back(room(each));
  return out;
}

loop::Stmt LevelRoom::for_roots(const loop::Expr& more) const {
  std::vector<loop::Stmt> out;
  for (const dynamic::Need& each : level_.needs_of_roots(more)) out.push_back(room(each));
  return out.size() == 1 ? out.front() : loop::block(std::move(out));
}

loop::Stmt LevelRoom::make_roots(const loop::Expr& first, const loop::Expr& number) const {
  const loop::Var past(names_.unique("past"), loop::scalar_type(Type::Int64));
  loop::Stmt cleared;
  if (loop::is_constant(number, 1)) {
    cleared = level_.clear_root(root_at(first));
  } else {
    const loop::Var r(names_.unique("r"), loop::scalar_type(Type::Int64));
    cleared = loop::for_loop(r, first, past, level_.clear_root(root_at(r)));
  }
  return loop::block({loop::declare(past, plus(first, number)), std::move(cleared),
                      structure().set_memory_field(structure().root().next, past)});
}

}  // namespace lacuna

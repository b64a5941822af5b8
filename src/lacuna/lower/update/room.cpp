#include "lacuna/lower/update/room.h"

#include "lacuna/format/schema/properties.h"
#include "lacuna/lower/arithmetic.h"

namespace lacuna {
namespace {

/// The last index is that of null.
constexpr std::int64_t most_room = std::int64_t{0xffffffff};

}  // namespace

LevelRoom::LevelRoom(const dynamic::DynamicLevel& level, const schema::LevelProgram& program, loop::NameSupply& names,
                     loop::Expr may_grow)
    : level_(level), program_(program), names_(names), may_grow_(std::move(may_grow)) {}

const dynamic::NodeRecord& LevelRoom::root() const {
  return structure().node(schema::root_of(structure().schema).name.text);
}

loop::Expr LevelRoom::memory(const std::string& field) const {
  return loop::convert(loop::load(structure().memory.front(), loop::Expr(0), {field, {}}), Type::Int64);
}

loop::Stmt LevelRoom::set_memory(const std::string& field, const loop::Expr& value) const {
  return loop::store(structure().memory.front(), loop::Expr(0), {field, {}}, loop::convert(value, Type::UInt32));
}

loop::Expr LevelRoom::root_at(const loop::Expr& position) const {
  return loop::as_ref(position, level_.root_type().record);
}

/// Twice as much as before, or more where that is not enough.
loop::Stmt LevelRoom::room(const std::string& next, const std::string& limit, const std::vector<loop::Var>& arrays,
                           const loop::Expr& more) const {
  const loop::Var needed(names_.unique("needed"), loop::scalar_type(Type::Int64));
  const loop::Var room(names_.unique("room"), loop::scalar_type(Type::Int64));
  std::vector<loop::Stmt> grow{
      loop::if_then(loop::eq(may_grow_, loop::Expr(0)) || loop::Expr(needed) > loop::Expr(most_room),
                    loop::break_loop()),
      loop::declare(room, loop::min(loop::max(needed, memory(limit) * loop::Expr(2)), loop::Expr(most_room)))};
  for (const loop::Var& array : arrays) grow.push_back(loop::resize(array, room));
  grow.push_back(set_memory(limit, room));
  return loop::block({loop::declare(needed, memory(next) + more),
                      loop::if_then(loop::Expr(needed) > memory(limit), loop::block(std::move(grow)))});
}

std::vector<loop::Stmt> LevelRoom::for_call(const std::string& function) const {
  const schema::Effects& effects = find_function(program_, function)->effects;
  std::vector<loop::Stmt> out;
  if (!effects.memory) return out;
  const std::int64_t nodes = level_.nodes_of(function);
  for (const dynamic::NodeRecord& each : structure().nodes) {
    // No function makes roots.
    const bool makes = nodes > 0 && &each != &root() && effects.nodes.contains(each.node->name.text);
    if (makes) out.push_back(room(each.next, each.limit, {each.arena}, loop::Expr(nodes)));
  }
  const loop::Expr longest = level_.most_slots();
  for (const dynamic::Pool& each : structure().pools) {
    if (!effects.arrays.contains(each.node + "." + each.size)) continue;
    std::vector<loop::Var> arrays;
    for (const auto& [member, array] : each.arrays) arrays.push_back(array);
    out.push_back(room(each.next, each.limit, arrays, longest));
  }
  return out;
}

loop::Stmt LevelRoom::for_roots(const loop::Expr& more) const {
  return room(root().next, root().limit, {root().arena}, more);
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
  return loop::block({loop::declare(past, plus(first, number)), std::move(cleared), set_memory(root().next, past)});
}

}  // namespace lacuna

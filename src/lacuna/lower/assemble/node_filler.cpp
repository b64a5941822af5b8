#include "lacuna/lower/assemble/node_filler.h"

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/head.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using dynamic::NodeRecord;

constexpr std::int64_t first_room = 64;

}  // namespace

NodeFiller::NodeFiller(Context& context, const TensorVar& tensor, int level, loop::Var count, loop::Expr roots)
    : context_(context),
      level_(context.dynamic_level(tensor, level)),
      name_(fmt::format("{}{}", context.argument_name(tensor), level + 1)),
      count_(std::move(count)),
      roots_(std::move(roots)) {
  const LevelFormat& format = context.program().at(tensor).format.level(level);
  const std::optional<Way> way = schema::fill_way(format.definition->program);
  if (!way)
    user_error("{} cannot be stored in the level {}, whose file has neither append_first nor build nor insert",
               tensor.name(), format.name());
  way_ = *way;
  for (std::size_t k = 0; k < structure().layout.arrays; ++k) context_.mark_out(structure().array(k));
  if (way_ == Way::Build) declare_buffers();
}

loop::Expr NodeFiller::root_at(const loop::Expr& position) const {
  // Beyond the last root the level is broken, but nothing outside its memory is touched.
  const bool known = !loop::is_constant(roots_, 0);
  return loop::as_ref(known ? position : loop::min(position, loop::Expr(dynamic::most_room - 2)),
                      level_.root_type().record);
}

loop::Expr NodeFiller::value_of_child(const loop::Expr& position) const {
  const loop::IrType& type = structure().types.value;
  return type.is_ref() ? loop::as_ref(position, type.record) : loop::convert(position, type.scalar);
}

void NodeFiller::begin(Statements& out) {
  out.push_back(loop::allocate(structure().memory.front(), loop::Expr(1), true));
  const schema::NodeSchema& nodes = structure().schema;
  for (const NodeRecord& each : structure().nodes) {
    const bool is_root = each.node == &schema::root_of(nodes) || each.node == &schema::given_root(nodes);
    const loop::Expr room = is_root ? plus(roots_, loop::Expr(first_room)) : loop::Expr(first_room);
    out.push_back(loop::allocate(each.arena, room, false));
    out.push_back(structure().set_memory_field(each.limit, room));
  }
  for (const dynamic::Pool& each : structure().pools) {
    for (const auto& [member, array] : each.arrays) out.push_back(loop::allocate(array, loop::Expr(first_room), false));
    out.push_back(structure().set_memory_field(each.limit, loop::Expr(first_room)));
  }
  if (!structure().state.empty()) {
    out.push_back(loop::declare_array(structure().state.front()));
    out.push_back(loop::allocate(structure().state.front(), loop::Expr(1), true));
  }
  if (way_ == Way::Build) {
    out.push_back(loop::declare(*buffered_, loop::Expr(0)));
    for (const loop::Var& array : {*coordinates_, *values_}) out.push_back(loop::declare_array(array));
    out.push_back(buffers_->start(loop::Expr(0)));
  }
  if (loop::is_constant(roots_, 0)) return;
  out.push_back(clear_roots(loop::Expr(0), roots_));
  if (structure().schema.has_head) out.push_back(structure().set_memory_field(structure().root().next, roots_));
}

void NodeFiller::declare_buffers() {
  buffered_ = context_.fresh_index(name_ + "_buffered");
  coordinates_ = context_.fresh(name_ + "_coordinates", loop::array_type(structure().types.coordinate));
  const loop::IrType& value = structure().types.value;
  values_ = context_.fresh(name_ + "_values",
                           value.is_ref() ? loop::ref_array_type(value.record) : loop::array_type(value.scalar));
  buffers_.emplace(context_, name_ + "_buffer", *buffered_);
  for (const loop::Var& array : {*coordinates_, *values_}) buffers_->add(array);
}

void NodeFiller::end(const loop::Expr& roots, Statements& out) {
  // The last root may have been made for an entry that was not kept. A head stays, with the root that it refers to.
  if (!structure().schema.has_head) out.push_back(structure().set_memory_field(structure().root().next, roots));
  if (!structure().state.empty()) out.push_back(loop::release(structure().state.front()));
  if (way_ != Way::Build) return;
  out.push_back(loop::release(*coordinates_));
  out.push_back(loop::release(*values_));
}

/// Twice as much as before, or more where that is not enough. Where there are no more indices, notes it as functions
/// do.
loop::Stmt NodeFiller::room(const dynamic::Need& need) {
  const loop::Expr limit = structure().memory_field(need.limit);
  const loop::Expr most(dynamic::most_room);
  const loop::Var room = context_.fresh_index(name_ + "_room");
  const loop::Expr needed = plus(structure().memory_field(need.next), need.more);
  Statements grow{loop::declare(room, loop::max(needed, limit * loop::Expr(2))),
                  loop::if_then(loop::Expr(room) > most, loop::assign(room, most))};
  for (const loop::Var& array : need.arrays) grow.push_back(loop::resize(array, room));
  grow.push_back(structure().set_memory_field(need.limit, room));
  return loop::if_then(needed > limit, loop::block(std::move(grow)));
}

Statements NodeFiller::room(const std::vector<dynamic::Need>& needs) {
  Statements out;
  for (const dynamic::Need& each : needs) out.push_back(room(each));
  return out;
}

loop::Stmt NodeFiller::clear_roots(const loop::Expr& first, const loop::Expr& number) {
  if (loop::is_constant(number, 1)) return level_.clear_root(root_at(first));
  const loop::Var r = context_.fresh_index("r");
  return loop::for_loop(r, first, plus(first, number), level_.clear_root(root_at(r)));
}

/// Heads that were made for an entry that was not kept have roots already, which are empty.
Statements NodeFiller::make_heads(const loop::Expr& first, const loop::Expr& past) {
  const NodeRecord& head = structure().root();
  const loop::Var made = context_.fresh_index(name_ + "_made"), r = context_.fresh_index("r");
  Statements out = room(level_.needs_of_roots(past - first));
  out.push_back(loop::declare(made, loop::max(first, structure().memory_field(head.next))));
  out.push_back(loop::for_loop(r, made, past, level_.clear_root(root_at(r))));
  out.push_back(structure().set_memory_field(head.next, loop::max(made, past)));
  return out;
}

loop::Stmt NodeFiller::make_roots(const loop::Expr& first, const loop::Expr& number) {
  const NodeRecord& root = structure().root();
  const loop::Expr past = plus(first, number);
  Statements all;
  if (structure().schema.has_head) {
    all = make_heads(first, past);
  } else {
    all.push_back(structure().set_memory_field(root.next, first));
    for (loop::Stmt& each : room(level_.needs_of_roots(number))) all.push_back(std::move(each));
    all.push_back(clear_roots(first, number));
    all.push_back(structure().set_memory_field(root.next, past));
  }
  const loop::Stmt made = loop::block(std::move(all));
  const loop::Stmt broken =
      loop::store(structure().memory.front(), loop::Expr(0), {structure().full, {}}, loop::Expr(true));
  return loop::if_then(past < loop::Expr(dynamic::most_room), made, broken);
}

loop::Stmt NodeFiller::open() {
  if (way_ != Way::Append) return nullptr;
  begin_ = context_.fresh_index(name_ + "_begin");
  return loop::declare(*begin_, count_);
}

loop::Stmt NodeFiller::close(const loop::Expr& root) {
  if (way_ != Way::Build) return nullptr;
  Statements build = room(level_.needs_to_build(*buffered_));
  build.push_back(loop::evaluate(level_.call(
      "build", {root_at(root), *coordinates_, *values_, loop::Expr(std::int64_t{0}), loop::Expr(*buffered_)})));
  build.push_back(loop::assign(*buffered_, loop::Expr(0)));
  return loop::if_then(loop::Expr(*buffered_) > loop::Expr(0), loop::block(std::move(build)));
}

loop::Stmt NodeFiller::add(const loop::Expr& root, const loop::Expr& coordinate, const loop::Expr& value) {
  const loop::Expr c = loop::convert(coordinate, structure().types.coordinate);
  if (way_ == Way::Build) {
    return loop::block({buffers_->reserve(loop::Expr(1)), loop::store(*coordinates_, *buffered_, c),
                        loop::store(*values_, *buffered_, value), loop::increment(*buffered_)});
  }
  if (way_ == Way::Insert) {
    Statements out = room(level_.needs_of({"insert"}));
    out.push_back(loop::evaluate(level_.call("insert", {root_at(root), c, value})));
    return loop::block(std::move(out));
  }
  Statements out = room(level_.needs_of({"append_first", "append_rest"}));
  out.push_back(loop::if_then(loop::eq(count_, *begin_),
                              loop::evaluate(level_.call("append_first", {root_at(root), c, value})),
                              loop::evaluate(level_.call("append_rest", {c, value}))));
  return loop::block(std::move(out));
}

}  // namespace lacuna

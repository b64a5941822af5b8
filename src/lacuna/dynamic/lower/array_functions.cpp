#include "lacuna/dynamic/lower/helpers.h"

namespace lacuna::dynamic {
namespace {

using loop::BinaryOp;
using loop::constant;
using loop::convert;
using loop::declare;
using loop::Expr;
using loop::Function;
using loop::Stmt;
using loop::value_op;
using loop::Var;

using loop::int64_type;

/// The class of the segments for `count` slots.
Function size_class(const FunctionNames& names) {
  const Var count("count", int64_type), room("room", int64_type), k("k", int64_type);
  return {names.size_class,
          {count},
          int64_type,
          loop::block(
              {declare(room, 0), declare(k, 0),
               loop::while_loop(Expr(room) < count,
                                loop::block({loop::assign(room, loop::max(Expr(room) * 2, 1)), loop::increment(k)})),
               loop::return_value(k)})};
}

class ArrayFunctions {
 public:
  ArrayFunctions(const Structure& structure, const FunctionNames& names, const Pool& pool)
      : structure_(structure),
        names_(names),
        pool_(pool),
        node_(structure.node(pool.node)),
        layout_(structure.layout.pool(pool.node, pool.size)),
        links_(structure.array(layout_.link().array)),
        link_type_(element_type(links_.type())) {}

  Function resize() const {
    const Var n("n", loop::ref_type(node_.record)), count("count", int64_type), old("old", int64_type);
    const Var from("from", int64_type), old_class("old_class", int64_type), new_class("new_class", int64_type);
    const Var at("at", int64_type), k("k", int64_type);
    const std::string& size = node_.fields.at(pool_.size);
    std::vector<Stmt> copies;
    for (const auto& [member, array] : pool_.arrays) {
      copies.push_back(loop::store(array, Expr(at) + k, loop::load(array, Expr(from) + k)));
    }
    const Stmt moved =
        loop::block({take(new_class, at), loop::for_loop(k, 0, loop::min(old, count), loop::block(copies))});
    const Stmt changed = loop::block({declare(at, 0), loop::if_then(Expr(new_class) > 0, moved),
                                      loop::if_then(Expr(old_class) > 0, give_back(old_class, from)),
                                      loop::store(node_.arena, n, {pool_.position, {}}, convert(at, Type::UInt32))});
    std::vector<Var> parameters = memory_of_resize(structure_, pool_);
    parameters.insert(parameters.end(), {n, count});
    const auto class_of = [&](const Var& slots) {
      return loop::invoke(names_.size_class, {room_for(slots)}, int64_type);
    };
    return {names_.resize.at(pool_.node + "." + pool_.size),
            std::move(parameters),
            {},
            loop::block({declare(old, convert(loop::load(node_.arena, n, {size, {}}), Type::Int64)),
                         declare(from, convert(loop::load(node_.arena, n, {pool_.position, {}}), Type::Int64)),
                         loop::store(node_.arena, n, {size, {}}, convert(count, Type::Int32)),
                         declare(old_class, class_of(old)), declare(new_class, class_of(count)),
                         loop::if_then(loop::ne(old_class, new_class), changed)})};
  }

 private:
  /// A segment has room for a link, too, for when it is given back.
  Expr room_for(const Var& slots) const {
    const std::int64_t least = layout_.link_slots();
    if (least == 1) return slots;
    return loop::select(Expr(slots) > 0, loop::max(slots, least), 0);
  }

  Expr load(const std::string& field, const Expr& sub = {}) const {
    return loop::load(structure_.memory.front(), 0, {field, sub});
  }
  Stmt store(const std::string& field, const Expr& sub, const Expr& value) const {
    return loop::store(structure_.memory.front(), 0, {field, sub}, value);
  }

  /// A segment that was given back, or the next one. When there is none, notes it and takes the last slots.
  Stmt take(const Var& size_class, const Var& at) const {
    const Var free("free", loop::scalar_type(Type::UInt32)), room("room", int64_type), limit("limit", int64_type);
    const Stmt reuse =
        loop::block({loop::assign(at, convert(free, Type::Int64) - 1), store(pool_.free, size_class, link_at(at))});
    const Stmt fresh = loop::block(
        {declare(room, value_op(BinaryOp::ShiftLeft, std::int64_t{1}, Expr(size_class) - 1)),
         declare(limit, convert(load(pool_.limit), Type::Int64)),
         loop::assign(at, convert(load(pool_.next), Type::Int64)),
         loop::if_then(
             Expr(at) + room <= limit, store(pool_.next, {}, convert(Expr(at) + room, Type::UInt32)),
             loop::block({store(structure_.full, {}, true), loop::assign(at, loop::max(Expr(limit) - room, 0))})),
         loop::if_then(load(structure_.largest) < convert(size_class, Type::UInt32),
                       store(structure_.largest, {}, convert(size_class, Type::UInt32)))});
    return loop::block({declare(free, load(pool_.free, size_class)),
                        loop::if_then(loop::ne(free, constant(Type::UInt32, 0)), reuse, fresh)});
  }

  Stmt give_back(const Var& size_class, const Var& from) const {
    std::vector<Stmt> out;
    set_link(from, load(pool_.free, size_class), out);
    out.push_back(store(pool_.free, size_class, convert(Expr(from) + 1, Type::UInt32)));
    return loop::block(std::move(out));
  }

  // A link that is wider than the slots lies in several, the low bits first.

  int link_bits() const { return static_cast<int>(32 / layout_.link_slots()); }

  Expr link_at(const Var& at) const {
    Expr link = convert(loop::load(links_, at), Type::UInt32);
    for (int k = 1; k < layout_.link_slots(); ++k) {
      const Expr part = convert(loop::load(links_, Expr(at) + k), Type::UInt32);
      link =
          value_op(BinaryOp::BitOr, link, value_op(BinaryOp::ShiftLeft, part, constant(Type::UInt32, k * link_bits())));
    }
    return link;
  }

  void set_link(const Var& at, const Expr& next, std::vector<Stmt>& out) const {
    const std::int64_t slots = layout_.link_slots();
    if (slots == 1) {
      const Expr link = link_type_.is_ref() ? loop::as_ref(next, link_type_.record) : convert(next, link_type_.scalar);
      out.push_back(loop::store(links_, at, link));
      return;
    }
    const Var link("link", loop::scalar_type(Type::UInt32));
    const Expr low = constant(Type::UInt32, (std::int64_t{1} << link_bits()) - 1);
    out.push_back(declare(link, next));
    for (int k = 0; k < slots; ++k) {
      const Expr part = value_op(BinaryOp::ShiftRight, link, constant(Type::UInt32, k * link_bits()));
      out.push_back(loop::store(links_, Expr(at) + k, convert(loop::bit_and(part, low), link_type_.scalar)));
    }
  }

  const Structure& structure_;
  const FunctionNames& names_;
  const Pool& pool_;
  const NodeRecord& node_;
  const schema::PoolLayout& layout_;
  Var links_;
  loop::IrType link_type_;
};

}  // namespace

std::vector<Var> memory_of_resize(const Structure& structure, const Pool& pool) {
  std::vector<Var> memory = {structure.node(pool.node).arena};
  for (const auto& [member, array] : pool.arrays) memory.push_back(array);
  memory.push_back(structure.memory.front());
  return memory;
}

std::vector<Function> array_functions(const Structure& structure, const FunctionNames& names) {
  std::vector<Function> functions;
  if (!structure.pools.empty()) functions.push_back(size_class(names));
  for (const Pool& pool : structure.pools) functions.push_back(ArrayFunctions(structure, names, pool).resize());
  return functions;
}

}  // namespace lacuna::dynamic

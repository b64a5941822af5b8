#include <algorithm>

#include "lacuna/lower/levels/dynamic/helpers.h"
#include "lacuna/support/error.h"

namespace lacuna::dynamic {
namespace {

using loop::BinaryOp;
using loop::constant;
using loop::convert;
using loop::declare;
using loop::Expr;
using loop::Function;
using loop::Stmt;
using loop::Var;

const loop::IrType int64_type = loop::scalar_type(Type::Int64);

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
      : structure_(structure), names_(names), pool_(pool), node_(structure.node(pool.node)) {
    const auto links = std::find_if(pool.arrays.begin(), pool.arrays.end(), [](const auto& each) {
      const loop::IrType type = element_type(each.second.type());
      return type.is_ref() || (is_integer(type.scalar) && size_of(type.scalar) >= 4);
    });
    internal_check(links != pool.arrays.end(), "no array of {}.{} could link segments", pool.node, pool.size);
    links_ = &links->second;
  }

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
    const auto class_of = [&](const Var& slots) { return loop::invoke(names_.size_class, {slots}, int64_type); };
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
  Expr load(const std::string& field, const Expr& sub = {}) const {
    return loop::load(structure_.memory.front(), 0, {field, sub});
  }
  Stmt store(const std::string& field, const Expr& sub, const Expr& value) const {
    return loop::store(structure_.memory.front(), 0, {field, sub}, value);
  }

  /// A segment that was given back, or the next one. When there is none, notes it and takes the last slots.
  Stmt take(const Var& size_class, const Var& at) const {
    const Var free("free", loop::scalar_type(Type::UInt32)), room("room", int64_type), limit("limit", int64_type);
    const Stmt reuse = loop::block({loop::assign(at, convert(free, Type::Int64) - 1),
                                    store(pool_.free, size_class, convert(loop::load(*links_, at), Type::UInt32))});
    const Stmt fresh = loop::block(
        {declare(room, loop::value_op(BinaryOp::ShiftLeft, std::int64_t{1}, Expr(size_class) - 1)),
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
    const loop::IrType type = element_type(links_->type());
    const Expr next = load(pool_.free, size_class);
    const Expr link = type.is_ref() ? loop::as_ref(next, type.record) : convert(next, type.scalar);
    return loop::block(
        {loop::store(*links_, from, link), store(pool_.free, size_class, convert(Expr(from) + 1, Type::UInt32))});
  }

  const Structure& structure_;
  const FunctionNames& names_;
  const Pool& pool_;
  const NodeRecord& node_;
  const Var* links_;
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

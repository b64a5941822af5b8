#include "lacuna/dynamic/lower/helpers.h"
#include "lacuna/dynamic/schema/head.h"
#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::dynamic {
namespace {

using loop::BinaryOp;
using loop::constant;
using loop::convert;
using loop::Expr;
using loop::Function;
using loop::Stmt;
using loop::value_op;
using loop::Var;

const Expr one = constant(Type::UInt32, 1);

/// Makes the functions of one node type.
class NodeFunctions {
 public:
  NodeFunctions(const Structure& structure, const FunctionNames& names, const NodeRecord& node)
      : structure_(structure), names_(names), node_(node), name_(node.node->name.text) {}

  Function clear() const {
    if (structure_.schema.has_head && &node_ == &structure_.root()) return clear_head();
    const Var n("n", type());
    std::vector<Stmt> body;
    for (const schema::Member& member : schema::members_of(*node_.node)) {
      if (member.storage == schema::Storage::Elsewhere) continue;
      const std::string& field = node_.fields.at(member.name);
      const Expr empty = initial(member);
      if (!empty.defined()) continue;
      const std::int64_t count = node_.record->find(field)->count;
      if (count == 0) {
        body.push_back(loop::store(node_.arena, n, {field, {}}, empty));
        continue;
      }
      if (!member.size.empty()) continue;  // none of the slots is in use
      const Var k("k_" + field, loop::scalar_type(Type::Int64));
      body.push_back(loop::for_loop(k, 0, count, loop::store(node_.arena, n, {field, k}, empty)));
    }
    for (const Pool& pool : structure_.pools) {
      if (pool.node != name_) continue;
      body.push_back(loop::store(node_.arena, n, {pool.position, {}}, constant(Type::UInt32, 0)));
    }
    return {names_.clear.at(name_), {node_.arena, n}, {}, loop::block(std::move(body))};
  }

  /// A deleted node, or the next that was never used. When there is none, notes it and takes the last one again, so
  /// that nothing outside the arena is touched.
  Function make() const {
    const Var n("n", type()), free("free", loop::scalar_type(Type::UInt32)), next("next", free.type());
    const Stmt reuse = loop::block({loop::assign(n, loop::as_ref(value_op(BinaryOp::Sub, free, one), node_.record)),
                                    store(node_.free, value_op(BinaryOp::Add, link_of(n), one))});
    const Stmt fresh = loop::block(
        {loop::declare(next, load(node_.next)),
         loop::if_then(
             Expr(next) < load(node_.limit), store(node_.next, value_op(BinaryOp::Add, next, one)),
             loop::block({store(structure_.full, true), loop::assign(next, value_op(BinaryOp::Sub, next, one))})),
         loop::assign(n, loop::as_ref(next, node_.record))});
    const Expr cleared = call(names_.clear.at(name_), memory_of_clear(structure_, node_), {n}, {});
    return {names_.make.at(name_), memory_of_new(structure_, node_), type(),
            loop::block({loop::declare(free, load(node_.free)), loop::declare(n),
                         loop::if_then(loop::ne(free, constant(Type::UInt32, 0)), reuse, fresh),
                         loop::evaluate(cleared), loop::return_value(n)})};
  }

  Function remove() const {
    const Var n("n", type());
    std::vector<Var> parameters = memory_of_delete(structure_, node_);
    std::vector<Stmt> body;
    for (const Pool& pool : structure_.pools) {
      if (pool.node != name_) continue;
      body.push_back(loop::evaluate(
          call(names_.resize.at(name_ + "." + pool.size), memory_of_resize(structure_, pool), {n, 0}, {})));
    }
    body.push_back(set_link(n, load(node_.free)));
    body.push_back(store(node_.free, value_op(BinaryOp::Add, convert(n, Type::UInt32), one)));
    parameters.push_back(n);
    return {names_.remove.at(name_), std::move(parameters), {}, loop::block(std::move(body))};
  }

 private:
  /// An empty level has a root, too, that functions get.
  Function clear_head() const {
    const Var n("n", type());
    const NodeRecord& root = structure_.node(schema::given_root(structure_.schema).name.text);
    const Var made("made", loop::ref_type(root.record));
    std::vector<Var> parameters = memory_of_clear(structure_, node_);
    parameters.push_back(n);
    const Expr new_root = call(names_.make.at(root.node->name.text), memory_of_new(structure_, root), {}, made.type());
    const std::string& field = node_.fields.at(schema::field_of_head(structure_.schema).name.text);
    return {names_.clear.at(name_),
            std::move(parameters),
            {},
            loop::block({loop::declare(made, new_root), loop::store(node_.arena, n, {field, {}}, made)})};
  }

  loop::IrType type() const { return loop::ref_type(node_.record); }
  Expr load(const std::string& field) const { return loop::load(structure_.memory.front(), 0, {field, {}}); }
  Stmt store(const std::string& field, const Expr& value) const {
    return loop::store(structure_.memory.front(), 0, {field, {}}, value);
  }

  /// What a field of a new node holds; undefined where it is written before it is read.
  Expr initial(const schema::Member& member) const {
    const schema::Field& field = *schema::find_field(*node_.node, member.field);
    if (std::holds_alternative<schema::CoordinateType>(member.type)) {
      return schema::is_nonempty(field) ? Expr() : constant(structure_.types.coordinate, -1);
    }
    if (std::holds_alternative<schema::ValueType>(member.type)) return {};
    if (const auto* own = std::get_if<Type>(&member.type)) return Scalar::zero(*own);
    const loop::IrType& stored = node_.record->find(node_.fields.at(member.name))->type;
    return stored.is_ref() ? loop::null_ref(stored.record) : Expr(Scalar(loop::null_ref_bits));
  }

  loop::Member link() const { return {node_.link, node_.record->find(node_.link)->count > 0 ? Expr(0) : Expr()}; }
  Expr link_of(const Expr& n) const { return convert(loop::load(node_.arena, n, link()), Type::UInt32); }
  /// `free` is the node deleted before plus 1; where the link is a reference, it leads to that node.
  Stmt set_link(const Expr& n, const Expr& free) const {
    const Expr index = value_op(BinaryOp::Sub, free, one);
    const loop::IrType& stored = node_.record->find(node_.link)->type;
    if (!stored.is_ref()) return loop::store(node_.arena, n, link(), convert(index, stored.scalar));
    return loop::store(node_.arena, n, link(),
                       loop::select(loop::eq(free, constant(Type::UInt32, 0)), loop::null_ref(stored.record),
                                    loop::as_ref(index, stored.record)));
  }

  const Structure& structure_;
  const FunctionNames& names_;
  const NodeRecord& node_;
  const std::string& name_;
};

}  // namespace

std::vector<Var> memory_of_clear(const Structure& structure, const NodeRecord& node) {
  if (!structure.schema.has_head || &node != &structure.root()) return {node.arena};
  return {node.arena, structure.node(schema::given_root(structure.schema).name.text).arena, structure.memory.front()};
}

std::vector<Var> memory_of_new(const Structure& structure, const NodeRecord& node) {
  std::vector<Var> memory = memory_of_clear(structure, node);
  if (memory.size() == 1) memory.push_back(structure.memory.front());
  return memory;
}

std::vector<Var> memory_of_delete(const Structure& structure, const NodeRecord& node) {
  std::vector<Var> memory = {node.arena};
  for (const Pool& pool : structure.pools) {
    if (pool.node != node.node->name.text) continue;
    for (const auto& [member, array] : pool.arrays) memory.push_back(array);
  }
  memory.push_back(structure.memory.front());
  return memory;
}

std::vector<Function> node_functions(const Structure& structure, const FunctionNames& names) {
  std::vector<Function> functions;
  for (const NodeRecord& each : structure.nodes) {
    const NodeFunctions make(structure, names, each);
    functions.push_back(make.clear());
    functions.push_back(make.make());
    functions.push_back(make.remove());
  }
  return functions;
}

}  // namespace lacuna::dynamic

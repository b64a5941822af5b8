#include "lacuna/dynamic/lower/helpers.h"
#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::dynamic {
namespace {

using loop::BinaryOp;
using loop::convert;
using loop::declare;
using loop::Expr;
using loop::Function;
using loop::Stmt;
using loop::value_op;
using loop::Var;

using loop::int64_type;

/// A binary search that does not branch on what it finds.
Stmt search_in_node(const NodeRecord& node, const std::string& member, const Var& n, const Var& count, const Var& key) {
  const Var low("low", int64_type), half("half", int64_type), below("below", loop::scalar_type(Type::Bool));
  const Expr found = convert(loop::load(node.arena, n, {node.fields.at(member), Expr(low) + half}), Type::Int64);
  const Stmt step = loop::block({declare(half, Expr(count) / 2), declare(below, found < key),
                                 loop::assign(low, loop::select(below, Expr(low) + half + 1, low)),
                                 loop::assign(count, loop::select(below, Expr(count) - half - 1, half))});
  return loop::block({declare(low, 0), loop::while_loop(Expr(count) > 0, step), loop::return_value(low)});
}

Function lower_bound(const Structure& structure, const FunctionNames& names, const NodeRecord& node,
                     const schema::Field& field) {
  const Var n("n", loop::ref_type(node.record)), count("count", int64_type), key("key", int64_type);
  const std::string member = field.name.text + "c";
  Stmt body;
  const auto elsewhere = node.sizes.find(member);
  if (elsewhere == node.sizes.end()) {
    body = search_in_node(node, member, n, count, key);
  } else {
    const Pool& pool = structure.pool(node.node->name.text, elsewhere->second);
    const Var at("at", int64_type);
    body = loop::block({declare(at, convert(loop::load(node.arena, n, {pool.position, {}}), Type::Int64)),
                        loop::return_value(loop::lower_bound(pool.arrays.at(member), at, Expr(at) + count, key) - at)});
  }
  std::vector<Var> parameters = memory_of_search(structure, node, field.name.text);
  parameters.insert(parameters.end(), {n, count, key});
  return {names.lower_bound.at(node.node->name.text + "." + field.name.text), std::move(parameters), int64_type, body};
}

/// Multiplies twice, so that neighbours are no neighbours any more.
Function hash(const FunctionNames& names) {
  const Var x("x", int64_type), mixed("mixed", loop::scalar_type(Type::UInt64));
  const auto times = [](const Expr& a, std::uint64_t b) { return value_op(BinaryOp::Mul, a, Expr(Scalar(b))); };
  const auto high = [](const Expr& a) { return value_op(BinaryOp::ShiftRight, a, Expr(Scalar(std::uint64_t{32}))); };
  return {names.hash,
          {x},
          int64_type,
          loop::block({declare(mixed, times(convert(x, Type::UInt64), 0x9E3779B97F4A7C15U)),
                       loop::assign(mixed, times(value_op(BinaryOp::BitXor, mixed, high(mixed)), 0xD6E8FEB86659FD93U)),
                       loop::return_value(convert(high(mixed), Type::Int64))})};
}

}  // namespace

std::vector<Var> memory_of_search(const Structure& structure, const NodeRecord& node, const std::string& field) {
  std::vector<Var> memory = {node.arena};
  const auto elsewhere = node.sizes.find(field + "c");
  if (elsewhere == node.sizes.end()) return memory;
  memory.push_back(structure.pool(node.node->name.text, elsewhere->second).arrays.at(field + "c"));
  return memory;
}

std::vector<Function> search_functions(const Structure& structure, const FunctionNames& names) {
  std::vector<Function> functions = {hash(names)};
  for (const NodeRecord& node : structure.nodes) {
    for (const schema::Field* field : schema::element_fields(*node.node)) {
      if (schema::array_of(*field) && !schema::differences_of(*field))
        functions.push_back(lower_bound(structure, names, node, *field));
    }
  }
  return functions;
}

}  // namespace lacuna::dynamic

#include <gtest/gtest.h>

#include "lacuna/loop/passes.h"
#include "unit/dynamic/lower/histories.h"

// A level whose values are the roots of another: a matrix with rows in a tree, each a list of blocks.
namespace lacuna::dynamic::nested_test {
namespace {

using loop::declare;
using loop::Expr;
using loop::load;
using loop::Stmt;
using loop::Var;

using loop::int64_type;

struct LevelText {
  explicit LevelText(const std::string& name)
      : definition(schema::parse_level(level_text(name), name)),
        program(schema::read_program(definition, {name, level_text(name)})) {}
  schema::LevelDefinition definition;
  schema::LevelProgram program;
};

std::vector<Stmt> allocated(const Structure& structure) {
  std::vector<Stmt> body;
  for (const Var& each : structure.all_memory()) {
    body.push_back(loop::declare_array(each));
    body.push_back(loop::allocate(each, 1000, each == structure.memory[0]));
  }
  for (const NodeRecord& each : structure.nodes) {
    body.push_back(loop::store(structure.memory[0], 0, {each.limit, {}}, loop::constant(Type::UInt32, 1000)));
  }
  return body;
}

TEST(NestedLevels, ATreeOfListsCountsPairs) {
  const LevelText tree("rbtree"), list("blist");
  loop::NameSupply names;
  names.reserve("kernel");
  const DynamicLevel columns(list.definition.nodes, list.program, {"A2", Type::Int32, loop::scalar_type(Type::Float64)},
                             names);
  const DynamicLevel rows(tree.definition.nodes, tree.program, {"A1", Type::Int64, columns.root_type()}, names);
  const Var n("n", int64_type), k("k", int64_type), root("root", rows.root_type()), row("row", int64_type);
  const Var below("below", columns.root_type()), at("at", int64_type), found("found", int64_type);
  const Var is("is", loop::array_type(Type::Int64)), js("js", loop::array_type(Type::Int32));
  const Var counts("counts", loop::array_type(Type::Float64));
  const Expr no_row = loop::null_ref(columns.root_type().record);

  // A(i,j) += 1 for each pair, and what A(i,j) is then.
  const Stmt step = loop::block(
      {declare(row, rows.call("insert", {root, load(is, k), no_row})), declare(below),
       loop::if_then(is_added(row),
                     loop::block({loop::assign(below, columns.new_root()), store_value(rows.structure(), row, below)}),
                     loop::assign(below, value_at(rows.structure(), row))),
       declare(at, columns.call("insert", {below, load(js, k), Expr(0.0)})),
       store_value(columns.structure(), at,
                   loop::value_op(loop::BinaryOp::Add, value_at(columns.structure(), at), Expr(1.0))),
       loop::store(counts, k, value_at(columns.structure(), at))});
  std::vector<Stmt> body = allocated(rows.structure());
  for (const Stmt& each : allocated(columns.structure())) body.push_back(each);
  body.push_back(declare(root, rows.new_root()));
  body.push_back(loop::for_loop(k, 0, n, step));
  for (const DynamicLevel* each : {&rows, &columns}) {
    for (const Var& memory : each->structure().all_memory()) body.push_back(loop::release(memory));
  }

  loop::Module module;
  module.name = "kernel";
  for (const DynamicLevel* each : {&columns, &rows}) {
    for (const auto& record : each->records()) module.records.push_back(record);
    for (const loop::Function& function : each->functions(names)) module.functions.push_back(function);
  }
  for (const Var& each : {n, is, js}) module.parameters.push_back({each, "", false, false});
  module.parameters.push_back({counts, "", false, true});
  module.body = loop::block(std::move(body));
  loop::verify(module);

  std::mt19937 random(1);
  std::vector<std::int64_t> i_values;
  std::vector<std::int32_t> j_values;
  std::map<std::pair<std::int64_t, std::int32_t>, double> map;
  std::vector<double> expected;
  for (int step_count = 0; step_count < 700; step_count++) {
    i_values.push_back(static_cast<std::int64_t>(random() % 30) << 33);
    j_values.push_back(static_cast<std::int32_t>(random() % 20));
    expected.push_back(map[{i_values.back(), j_values.back()}] += 1);
  }
  std::vector<double> counted(expected.size());
  const auto size = static_cast<std::int64_t>(expected.size());
  loop::interpret(module, {{Scalar(size), nullptr, 0},
                           {Scalar(), i_values.data(), size},
                           {Scalar(), j_values.data(), size},
                           {Scalar(), counted.data(), size}});
  EXPECT_EQ(counted, expected);
}

}  // namespace
}  // namespace lacuna::dynamic::nested_test

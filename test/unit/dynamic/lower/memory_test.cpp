#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "lacuna/loop/layout.h"
#include "lacuna/loop/passes.h"
#include "unit/dynamic/lower/histories.h"

// What functions do with memory: they read nothing that was not written, stay within their part of it, and say so when
// there was not enough.
namespace lacuna::dynamic::memory_test {
namespace {

using loop::declare;
using loop::Expr;
using loop::Stmt;
using loop::store;
using loop::Var;

using loop::int64_type;

Stmt set_memory(const Structure& structure, const std::string& field, const Expr& value) {
  return store(structure.memory[0], 0, {field, {}}, loop::convert(value, Type::UInt32));
}

/// Arenas and pools with room for `count` of everything.
std::vector<Stmt> allocated(const Structure& structure, std::int64_t count) {
  std::vector<Stmt> body;
  for (const Var& each : structure.all_memory()) {
    const bool small = each == structure.memory[0] || (!structure.state.empty() && each == structure.state[0]);
    body.push_back(loop::allocate(each, small ? 1 : count, each == structure.memory[0]));
  }
  for (const NodeRecord& each : structure.nodes) body.push_back(set_memory(structure, each.limit, count));
  for (const Pool& each : structure.pools) body.push_back(set_memory(structure, each.limit, count));
  return body;
}

class LevelMemory : public testing::TestWithParam<std::string> {};

TEST_P(LevelMemory, IsWrittenBeforeItIsRead) {
  LevelMachine machine(level_text(GetParam(), 3), GetParam());
  loop::Module module = machine.module();
  for (loop::Parameter& each : module.parameters) {
    const std::vector<Var> memory = machine.structure().all_memory();
    each.out = std::find(memory.begin(), memory.end(), each.var) != memory.end();
  }
  std::vector<Stmt> body = allocated(machine.structure(), 4000);
  body.push_back(module.body);
  module.body = loop::block(std::move(body));
  loop::verify(module);
  // The interpreter knows what the kernel allocated and never wrote.
  machine.run_by([&](std::vector<loop::Binding> bindings) {
    for (std::size_t k = 0; k < machine.structure().all_memory().size(); k++) bindings[k] = {};
    loop::interpret(module, bindings);
  });
  std::mt19937 random(1);
  std::vector<Step> steps = {{Op::Make}};
  if (machine.level().has("append_first")) {
    steps.push_back({Op::AppendFirst, 0, 0, 1.0});
    for (int k = 1; k < 20; k++) steps.push_back({Op::AppendRest, 0, 3 * k, 1.0});
  }
  for (int k = 0; k < 1000; k++) {
    const Op op = std::array{Op::Assign, Op::Find, Op::Erase}[random() % 3];
    steps.push_back({op, 0, static_cast<std::int64_t>(random() % 60), 2.0});
  }
  machine.take(steps);
}

TEST_P(LevelMemory, IsSharedOutAmongThreadsThatChangeTreesOfTheirOwn) {
  LevelMachine machine(level_text(GetParam(), 3), GetParam());
  const Structure& structure = machine.structure();
  const Var& memory = structure.memory[0];
  const Var t("t", int64_type), k("k", int64_type), root("tree", machine.level().root_type());
  const Var at("at", int64_type), roots("roots", loop::ref_array_type(root.type().record));
  const Var counts("counts", loop::array_type(Type::Int64));
  constexpr std::int64_t part = 2000;

  // Each thread has a memory record of its own, each iteration a range of indices.
  std::vector<Stmt> range;
  for (const NodeRecord& each : structure.nodes) {
    range.push_back(set_memory(structure, each.next, Expr(t) * part));
    range.push_back(set_memory(structure, each.limit, (Expr(t) + 1) * part));
    range.push_back(set_memory(structure, each.free, 0));
  }
  for (const Pool& each : structure.pools) {
    const Var j("j_" + each.free, int64_type);
    range.push_back(set_memory(structure, each.next, Expr(t) * part));
    range.push_back(set_memory(structure, each.limit, (Expr(t) + 1) * part));
    range.push_back(
        loop::for_loop(j, 0, segment_classes, store(memory, 0, {each.free, j}, loop::constant(Type::UInt32, 0))));
  }
  const Expr c = loop::convert(Expr(k) * 7 % 64, Type::Int32);
  range.push_back(declare(root, machine.level().new_root()));
  range.push_back(store(roots, t, root));
  range.push_back(loop::for_loop(k, 0, 100,
                                 loop::block({declare(at, machine.level().call("insert", {root, c, Expr(1.0)})),
                                              loop::if_then(is_added(at), store(counts, t, 1, loop::StoreOp::Add))})));
  const Stmt setup = loop::block({loop::declare_array(memory), loop::allocate(memory, 1, true)});
  loop::LoopOptions options{.mode = loop::LoopMode::Parallel, .setup = setup, .teardown = loop::release(memory)};

  loop::Module module;
  module.name = "kernel";
  module.functions = machine.module().functions;
  module.records = machine.level().records();
  std::vector<std::vector<std::byte>> bytes;
  std::vector<std::uint32_t> root_values(4);
  std::vector<std::int64_t> count_values(4);
  std::vector<loop::Binding> bindings;
  for (const Var& each : structure.all_memory()) {
    if (each == memory) continue;
    module.parameters.push_back({each, "", false, true});
    bytes.emplace_back(static_cast<std::size_t>(4 * part * loop::element_size(each.type())));
    bindings.push_back({Scalar(), bytes.back().data(), 4 * part});
  }
  module.parameters.push_back({roots, "", false, true});
  module.parameters.push_back({counts, "", false, true});
  bindings.push_back({Scalar(), root_values.data(), 4});
  bindings.push_back({Scalar(), count_values.data(), 4});
  module.body = loop::for_loop(t, 0, 4, loop::block(range), options);
  loop::verify(module);
  loop::interpret(module, bindings);  // reports what two iterations touch
  EXPECT_THAT(count_values, testing::Each(64));
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, LevelMemory, testing::ValuesIn(level_names()),
                         [](const auto& each) { return each.param; });

TEST(LevelMemoryBounds, AreCountedWhereNodesAreMadeInNoLoop) {
  const std::pair<std::string, std::int64_t> bounds[] = {{"llist", 1},  {"blist", 2}, {"bst", 1},
                                                         {"rbtree", 1}, {"ctree", 1}, {"btree", most_nodes}};
  for (const auto& [name, bound] : bounds) {
    const LevelMachine machine(level_text(name), name);
    EXPECT_EQ(machine.level().nodes_of("insert"), bound) << name;
    EXPECT_EQ(machine.level().nodes_of("erase"), 0) << name;
    EXPECT_EQ(machine.level().nodes_of("no_such_function"), 0);
  }
}

TEST(LevelMemoryBounds, AFunctionThatRunsOutSaysSoAndTouchesNothingElse) {
  LevelMachine machine(
      "def top { r : cell }\ndef cell { e : elem nonempty n : cell seq = e, n }\n"
      "fn insert(root : top, c : coord, v : value) -> place {\n"
      "  let k = 0;\n"
      "  while (k < 100) { let n = new cell; n.e = elem(c, v); root.r = n; k += 1; }\n"
      "  return added(root.r.e);\n"
      "}\n",
      "greedy");
  machine.take({{Op::Make}});
  EXPECT_NONFATAL_FAILURE(machine.take({{Op::Assign, 0, 3, 1.0}}), "took more memory than callers promise");
}

TEST(LevelFunctions, ReadAsOneWouldWriteThem) {
  const LevelMachine machine(level_text("blist"), "blist");
  for (const loop::Function& each : machine.module().functions) {
    if (each.name != "A_append_rest") continue;
    EXPECT_EQ(loop::to_string(each.body),
              "A_blist* n = A_state[0].last;\n"
              "if (int64(A_blist_nodes[n].B) == 32) {\n"
              "  n = A_blist_new(A_blist_nodes, A_memory);\n"
              "  A_blist_nodes[A_state[0].last].n = n;\n"
              "  A_state[0].last = n;\n"
              "}\n"
              "int64 slot = int64(A_blist_nodes[n].B);\n"
              "A_blist_nodes[n].ec[slot] = c;\n"
              "A_blist_nodes[n].ev[slot] = v;\n"
              "A_blist_nodes[n].B = int32(int64(A_blist_nodes[n].B) + 1);\n");
  }
}

}  // namespace
}  // namespace lacuna::dynamic::memory_test

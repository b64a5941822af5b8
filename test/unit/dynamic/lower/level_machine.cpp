#include "unit/dynamic/lower/level_machine.h"

#include <gtest/gtest.h>

#include "lacuna/dynamic/schema/head.h"
#include "lacuna/loop/layout.h"
#include "lacuna/loop/passes.h"

namespace lacuna::dynamic {
namespace {

using loop::declare;
using loop::Expr;
using loop::load;
using loop::Stmt;
using loop::store;
using loop::Var;

using loop::int64_type;

/// The arrays of steps and outcomes.
struct StepArrays {
  Var count{"steps", int64_type}, op{"op", loop::array_type(Type::Int32)}, tree{"tree", loop::array_type(Type::Int64)};
  Var value{"given", loop::array_type(Type::Float64)}, place{"places", loop::array_type(Type::Int64)};
  Var out_coordinate{"out_coordinate", loop::array_type(Type::Int64)};
  Var out_value{"out_value", loop::array_type(Type::Float64)};
};

const std::byte* place_of_field(const loop::Record& record, const std::vector<std::byte>& bytes, std::uint32_t index,
                                const std::string& field, std::int64_t slot, Type& type) {
  const loop::RecordLayout layout = loop::record_layout(record);
  for (std::size_t k = 0; k < record.fields.size(); k++) {
    if (record.fields[k].name != field) continue;
    type = record.fields[k].type.is_ref() ? Type::UInt32 : record.fields[k].type.scalar;
    const auto offset =
        static_cast<std::size_t>(index * layout.size + layout.fields[k].offset + slot * layout.fields[k].stride);
    if (offset >= bytes.size()) throw InternalError("a reference leads out of the arena of " + record.name);
    return bytes.data() + offset;
  }
  throw InternalError("no field " + field);
}

}  // namespace

std::int64_t integer_at(const loop::Record& record, const std::vector<std::byte>& bytes, std::uint32_t index,
                        const std::string& field, std::int64_t slot) {
  Type type{};
  const std::byte* at = place_of_field(record, bytes, index, field, slot, type);
  return Scalar::load(type, at).as<std::int64_t>();
}

double real_at(const loop::Record& record, const std::vector<std::byte>& bytes, std::uint32_t index,
               const std::string& field, std::int64_t slot) {
  Type type{};
  const std::byte* at = place_of_field(record, bytes, index, field, slot, type);
  return Scalar::load(type, at).as<double>();
}

LevelMachine::LevelMachine(const std::string& text, const std::string& name, Type coordinate)
    : definition_(std::make_shared<schema::LevelDefinition>(schema::parse_level(text, name))),
      program_(std::make_shared<schema::LevelProgram>(schema::read_program(*definition_, {name, text}))),
      stored_(schema::stored_nodes(definition_->nodes)) {
  loop::NameSupply names;
  names.reserve("kernel");
  level_ = std::make_unique<DynamicLevel>(stored_, *program_,
                                          LevelTypes{"A", coordinate, loop::scalar_type(Type::Float64)}, names);
  module_.functions = level_->functions(names);
  module_ = make_module();
  loop::verify(module_);
  interpreter_ = std::make_unique<loop::Interpreter>(module_);
  for (const Var& each : structure().all_memory()) memory_[each.name()];
  const auto one = [](const loop::Var& arena) { return static_cast<std::size_t>(loop::element_size(arena.type())); };
  memory_[structure().memory[0].name()].resize(one(structure().memory[0]));
  if (!structure().state.empty()) memory_[structure().state[0].name()].resize(one(structure().state[0]));
}

loop::Module LevelMachine::make_module() {
  const StepArrays steps;
  const Type coordinate = structure().types.coordinate;
  const Var i("i", int64_type), c("c", loop::scalar_type(coordinate)), v("v", loop::scalar_type(Type::Float64));
  const Var made("made_root", level_->root_type()), root("root", level_->root_type()), at("found_at", int64_type),
      erased("erased", loop::scalar_type(Type::Bool));
  const Var roots("roots", loop::ref_array_type(level_->root_type().record)), cs("cs", loop::array_type(coordinate));

  const auto is = [&](Op op) { return loop::eq(load(steps.op, i), loop::constant(Type::Int32, static_cast<int>(op))); };
  const auto result = [&](const Expr& value) { return store(steps.place, i, value); };
  const Stmt entry = loop::if_then(
      !is_nothing(at),
      loop::block({store(steps.out_coordinate, i, loop::convert(coordinate_at(structure(), at), Type::Int64)),
                   store(steps.out_value, i, value_at(structure(), at))}));
  const auto insertion = [&](const Expr& existing) {
    return loop::block({declare(at, level_->call("insert", {root, c, v})),
                        loop::if_then(!is_added(at), store_value(structure(), at, existing)), result(at), entry});
  };
  const auto flag = [&](const std::string& function, std::vector<Expr> arguments) {
    return loop::block(
        {declare(erased, level_->call(function, std::move(arguments))), result(loop::convert(erased, Type::Int64))});
  };

  std::vector<Stmt> body = {declare(c, load(cs, i)), declare(v, load(steps.value, i)),
                            loop::if_then(is(Op::Make), loop::block({declare(made, level_->new_root()),
                                                                     store(roots, load(steps.tree, i), made)})),
                            declare(root, load(roots, load(steps.tree, i)))};
  const auto on = [&](Op op, const char* function, const auto& make) {
    if (level_->has(function)) body.push_back(loop::if_then(is(op), make()));
  };
  on(Op::Find, "find", [&] { return loop::block({declare(at, level_->call("find", {root, c})), result(at), entry}); });
  on(Op::Assign, "insert", [&] { return insertion(v); });
  on(Op::Add, "insert", [&] { return insertion(loop::value_op(loop::BinaryOp::Add, value_at(structure(), at), v)); });
  on(Op::Erase, "erase", [&] { return flag("erase", {root, c}); });
  on(Op::Check, "check", [&] { return flag("check", {root}); });
  on(Op::AppendFirst, "append_first", [&] { return loop::evaluate(level_->call("append_first", {root, c, v})); });
  on(Op::AppendRest, "append_rest", [&] { return loop::evaluate(level_->call("append_rest", {c, v})); });
  on(Op::Build, "build", [&] {
    const Expr begin = Expr(i) + 1;
    const Expr end = begin + loop::convert(c, Type::Int64);
    return loop::block({loop::evaluate(level_->call("build", {root, cs, steps.value, begin, end})),
                        loop::assign(i, Expr(i) + loop::convert(c, Type::Int64))});
  });
  body.push_back(loop::increment(i));

  loop::Module module;
  module.name = "kernel";
  module.functions = module_.functions;
  module.records = level_->records();
  for (const Var& each : structure().all_memory()) module.parameters.push_back({each, "", false, true});
  for (const Var& each : {steps.count, steps.op, steps.tree, cs, steps.value}) {
    module.parameters.push_back({each, "", false, false});
  }
  for (const Var& each : {steps.place, steps.out_coordinate, steps.out_value, roots}) {
    module.parameters.push_back({each, "", false, true});
  }
  module.body = loop::block({declare(i, 0), loop::while_loop(Expr(i) < steps.count, loop::block(body))});
  return module;
}

std::int64_t LevelMachine::memory_field(const std::string& field, std::int64_t slot) const {
  return integer_at(*structure().memory_record, memory_.at(structure().memory[0].name()), 0, field, slot);
}

void LevelMachine::set_memory_field(const std::string& field, std::int64_t value) {
  std::vector<std::byte>& bytes = memory_.at(structure().memory[0].name());
  Type type{};
  const std::byte* at = place_of_field(*structure().memory_record, bytes, 0, field, 0, type);
  Scalar(value).convert(type).store(bytes.data() + (at - bytes.data()));
}

void LevelMachine::make_room(const std::vector<Step>& steps) {
  std::int64_t nodes = 0;
  std::int64_t elements = 0;
  std::int64_t calls = 0;
  for (const Step& step : steps) {
    if (step.op == Op::Make) nodes++;
    if (step.op == Op::Assign || step.op == Op::Add) nodes += level_->nodes_of("insert");
    if (step.op == Op::Erase) nodes += level_->nodes_of("erase");
    if (step.op == Op::AppendFirst || step.op == Op::Build) nodes += most_nodes;
    const bool grows = step.op == Op::AppendFirst || step.op == Op::AppendRest;
    elements += grows ? 1 : step.op == Op::Build ? step.coordinate : 0;
    calls += step.op == Op::Assign || step.op == Op::Add || step.op == Op::Erase ? 1 : 0;
  }
  for (const NodeRecord& each : structure().nodes) {
    const std::int64_t limit = memory_field(each.next) + nodes + elements;
    set_memory_field(each.limit, limit);
    memory_.at(each.arena.name()).resize(static_cast<std::size_t>(limit * loop::element_size(each.arena.type())));
  }
  for (const Pool& each : structure().pools) {
    const std::int64_t largest =
        std::max(std::int64_t{1} << memory_field(structure().largest), level_->smallest_segment());
    const std::int64_t limit = memory_field(each.next) + 4 * elements + calls * most_segments * largest;
    set_memory_field(each.limit, limit);
    for (const auto& [member, array] : each.arrays) {
      memory_.at(array.name()).resize(static_cast<std::size_t>(limit * loop::element_size(array.type())));
    }
  }
}

std::vector<Outcome> LevelMachine::take(const std::vector<Step>& steps) {
  make_room(steps);
  std::vector<std::int32_t> ops;
  std::vector<std::int64_t> trees;
  std::vector<double> values;
  const Type coordinate = structure().types.coordinate;
  std::vector<std::byte> cs(steps.size() * static_cast<std::size_t>(size_of(coordinate)));
  for (std::size_t k = 0; k < steps.size(); k++) {
    ops.push_back(static_cast<std::int32_t>(steps[k].op));
    trees.push_back(steps[k].tree);
    values.push_back(steps[k].value);
    Scalar(steps[k].coordinate).convert(coordinate).store(&cs[k * static_cast<std::size_t>(size_of(coordinate))]);
    if (static_cast<std::size_t>(steps[k].tree) >= roots_.size()) roots_.resize(steps[k].tree + 1, loop::null_ref_bits);
  }
  std::vector<std::int64_t> places(steps.size(), nothing), out_coordinates(steps.size(), -1);
  std::vector<double> out_values(steps.size());

  const auto size = static_cast<std::int64_t>(steps.size());
  std::vector<loop::Binding> bindings;
  for (const Var& each : structure().all_memory()) {
    std::vector<std::byte>& bytes = memory_.at(each.name());
    bindings.push_back(
        {Scalar(), bytes.data(), static_cast<std::int64_t>(bytes.size()) / loop::element_size(each.type())});
  }
  bindings.push_back({Scalar(size), nullptr, 0});
  bindings.push_back({Scalar(), ops.data(), size});
  bindings.push_back({Scalar(), trees.data(), size});
  bindings.push_back({Scalar(), cs.data(), size});
  bindings.push_back({Scalar(), values.data(), size});
  bindings.push_back({Scalar(), places.data(), size});
  bindings.push_back({Scalar(), out_coordinates.data(), size});
  bindings.push_back({Scalar(), out_values.data(), size});
  bindings.push_back({Scalar(), roots_.data(), static_cast<std::int64_t>(roots_.size())});
  if (runner_) runner_(bindings);
  else interpreter_->run(bindings);

  EXPECT_EQ(memory_field(structure().full), 0) << "a function took more memory than callers promise";
  std::vector<Outcome> outcomes;
  for (std::size_t k = 0; k < steps.size(); k++) outcomes.push_back({places[k], out_coordinates[k], out_values[k]});
  return outcomes;
}

}  // namespace lacuna::dynamic

#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/interpret/access.h"
#include "lacuna/loop/interpret/compiler.h"
#include "lacuna/loop/interpret/control.h"
#include "lacuna/loop/interpret/place_member.h"
#include "lacuna/loop/layout.h"
#include "lacuna/loop/own_sums.h"
#include "lacuna/support/check.h"

namespace lacuna::loop::interpreter {

void Compiler::add_parameter(const Var& var) {
  function_.parameters.push_back(var);
  declared_depth_[var] = 0;
  auto& slots = var.type().is_memory() ? function_.array_slots : function_.slots;
  if (var.type().is_memory()) function_.array_parameters++;
  const auto next = static_cast<std::int32_t>(slots.size());
  internal_check(slots.emplace(var, next).second, "the parameter {} occurs twice", var.name());
}

const Step* Compiler::compile(const Stmt& stmt) {
  Step& step = program_.steps.emplace_back();
  if (!stmt) {
    step.sequence = &program_.sequences.emplace_back();
    step.run = run_sequence;
    return &step;
  }
  step.source = stmt.get();
  std::visit([&](const auto& node) { compile_node(node, step); }, stmt->kind);
  return &step;
}

void Compiler::compile_node(const Declare& node, Step& step) {
  if (node.init.defined()) step.a = compile(node.init);
  step.slot = declare(node.var);
  step.step = node.size;
  step.run = node.size > 0                 ? run_declare_local
             : node.var.type().is_memory() ? run_declare_array
             : node.init.defined()         ? run_declare
                                           : run_declare_bare;
}

void Compiler::compile_node(const Assign& node, Step& step) {
  step.a = compile(node.value);
  step.slot = slot_of(node.var);
  step.run = is_shared(node.var) ? run_shared_assign : run_assign;
}

void Compiler::compile_node(const Store& node, Step& step) {
  step.slot = array_slot_of(node.array);
  step.a = compile(node.index);
  step.b = compile(node.value);
  step.type = node.index.type().scalar;
  step.flag = node.atomic;
  if (node.member) {
    place_member(node.array, *node.member, step);
    step.c = compile_operand(node.member->sub);
  }
  step.run = element_write(node.value.type().scalar, node.member.has_value(), node.op);
}

void Compiler::compile_node(const If& node, Step& step) {
  step.a = compile(node.condition);
  step.body = compile(node.then_branch);
  step.other = node.else_branch ? compile(node.else_branch) : nullptr;
  step.run = run_if;
}

void Compiler::compile_node(const For& loop, Step& step) {
  // Kept, for steps name their statements.
  program_.written_out.push_back(with_sums_written_out(loop));
  const For& node = program_.written_out.back();
  internal_check(node.step > 0, "the step of the loop over {} is {}", node.var.name(), node.step);
  step.a = compile(node.low);
  step.b = compile(node.high);
  step.step = node.step;
  step.trips = trip_counter(node.var.name());
  step.parallel = node.mode != LoopMode::Serial;
  if (step.parallel) parallel_loops_.push_back(&node);
  if (node.setup) step.setup = compile(node.setup);
  step.slot = declare(node.var);
  step.body = compile(node.body);
  if (node.teardown) step.teardown = compile(node.teardown);
  if (step.parallel) parallel_loops_.pop_back();
  step.run = run_for;
}

void Compiler::compile_node(const While& node, Step& step) {
  step.a = compile(node.condition);
  step.body = compile(node.body);
  step.trips = trip_counter("while");
  step.run = run_while;
}

void Compiler::compile_node(const Block& node, Step& step) {
  std::vector<const Step*> sequence;
  for (const Stmt& each : node.statements) {
    if (each && !std::holds_alternative<Comment>(each->kind)) sequence.push_back(compile(each));
  }
  step.sequence = &program_.sequences.emplace_back(std::move(sequence));
  step.run = run_sequence;
}

void Compiler::compile_node(const Comment&, Step& step) {
  step.sequence = &program_.sequences.emplace_back();
  step.run = run_sequence;
}

void Compiler::compile_node(const Allocate& node, Step& step) {
  step.a = compile(node.count);
  step.slot = array_slot_of(node.array);
  step.flag = node.zeroed;
  step.parallel = is_shared(node.array);
  step.run = run_allocate;
}

void Compiler::compile_node(const Resize& node, Step& step) {
  step.a = compile(node.count);
  step.slot = array_slot_of(node.array);
  step.parallel = is_shared(node.array);
  step.run = run_resize;
}

void Compiler::compile_node(const Release& node, Step& step) {
  step.slot = array_slot_of(node.array);
  step.parallel = is_shared(node.array);
  step.run = run_release;
}

void Compiler::compile_node(const Keep& node, Step& step) {
  step.a = compile(node.index);
  step.slot = array_slot_of(node.array);
  step.other_slot = array_slot_of(node.shelf);
  step.parallel = is_shared(node.array);
  step.run = run_keep;
}

void Compiler::compile_node(const Take& node, Step& step) {
  step.a = compile(node.index);
  step.slot = array_slot_of(node.array);
  step.other_slot = array_slot_of(node.shelf);
  step.parallel = is_shared(node.array);
  step.run = run_take;
}

void Compiler::compile_node(const Sort& node, Step& step) {
  step.a = compile(node.low);
  step.b = compile(node.high);
  step.slot = array_slot_of(node.array);
  step.run = node.marks ? sort_marked(node.array.type().scalar) : range_sort(node.array.type().scalar);
  if (!node.marks) return;
  step.c = compile(node.places);
  step.other_slot = array_slot_of(*node.marks);
}

void Compiler::compile_node(const Fill& node, Step& step) {
  step.a = compile(node.low);
  step.b = compile(node.high);
  step.c = compile(node.value);
  step.slot = array_slot_of(node.array);
  step.run = range_fill(node.array.type().scalar);
}

void Compiler::compile_node(const MatrixProduct& node, Step& step) {
  const Matrix right = node.right.value_or(node.left);  // read nowhere if there is none
  step.arguments = compile_list({node.target.first, node.target.stride, node.left.first, node.left.stride, right.first,
                                 right.stride, node.rows, node.columns, node.inner});
  if (node.scalar.defined()) step.a = compile(node.scalar);
  step.slot = array_slot_of(node.target.array);
  step.other_slot = array_slot_of(node.left.array);
  step.third_slot = array_slot_of(right.array);
  step.run = matrix_product_run(node.target.array.type().scalar);
}

// One thread runs everything, so that all it stores is there at once.
void Compiler::compile_node(const Fence&, Step& step) { compile_node(Block{}, step); }

void Compiler::compile_node(const Prefetch& node, Step& step) {
  step.a = compile(node.index);
  step.slot = array_slot_of(node.array);
  step.type = node.index.type().scalar;
  step.run = run_prefetch;
}

namespace {

/// Whether threads wait for each other there.
bool waits(const Stmt& s) {
  return std::holds_alternative<Exchange>(s->kind) || std::holds_alternative<Barrier>(s->kind);
}

}  // namespace

// Without a device, the threads of a launch are iterations of a loop, unless they wait for each other.
void Compiler::compile_node(const Launch& node, Step& step) {
  const Var each("launch_" + node.name, int64_type);
  const Expr threads(node.threads);
  program_.simulated.push_back(for_loop(
      each, Expr(0), node.blocks * threads,
      block({loop::declare(node.block, each / threads), loop::declare(node.thread, each % threads), node.body}),
      LoopMode::Parallel));
  step.body = compile(program_.simulated.back());
  step.a = compile(node.blocks);
  for_each(node.body, [&](const Stmt& s) { step.flag = step.flag || waits(s); });
  if (step.flag) step.other = compile(node.body);
  step.slot = slot_of(node.block);
  step.other_slot = slot_of(node.thread);
  std::vector<Expr> captured;
  for (const Var& var : node.captured) captured.emplace_back(var);
  step.arguments = compile_list(captured);
  step.run = run_launch;
}

void Compiler::compile_node(const Exchange& node, Step& step) {
  step.slot = slot_of(node.var);
  step.other_slot = slot_of(node.value);
  step.run = run_exchange;
}

void Compiler::compile_node(const Barrier&, Step& step) { step.run = run_barrier; }

void Compiler::compile_node(const ReadBack& node, Step& step) {
  program_.simulated.push_back(assign(node.var, load(node.array, node.index)));
  step.body = compile(program_.simulated.back());
  step.a = compile(node.index);
  step.slot = slot_of(node.var);
  step.other_slot = array_slot_of(node.array);
  step.type = node.var.type().scalar;
  step.run = run_read_back;
}

void Compiler::compile_node(const Evaluate& node, Step& step) {
  step.a = compile(node.call);
  step.run = run_evaluate;
}

void Compiler::compile_node(const Return& node, Step& step) {
  if (node.value.defined()) step.a = compile(node.value);
  step.run = run_return;
}

void Compiler::compile_node(const Break&, Step& step) { step.run = run_break; }

std::int32_t Compiler::declare(const Var& var) {
  declared_depth_[var] = parallel_loops_.size();
  const bool is_memory = var.type().is_memory();
  auto& slots = is_memory ? function_.array_slots : function_.slots;
  const auto [slot, is_new] = slots.emplace(var, static_cast<std::int32_t>(slots.size()));
  if (is_memory && is_new) {
    function_.locals.push_back(var);
    function_.local_bytes.push_back(element_size(var.type()));
  }
  return slot->second;
}

std::int32_t Compiler::slot_of(const Var& var) const {
  const auto found = function_.slots.find(var);
  internal_check(found != function_.slots.end(), "{} is used and not declared", var.name());
  return found->second;
}

std::int32_t Compiler::array_slot_of(const Var& array) const {
  const auto found = function_.array_slots.find(array);
  internal_check(found != function_.array_slots.end(), "{} is used and not declared", array.name());
  return found->second;
}

std::int32_t Compiler::trip_counter(const std::string& name) {
  auto& names = program_.trip_names;
  const auto index = std::find(names.begin(), names.end(), name) - names.begin();
  if (static_cast<std::size_t>(index) == names.size()) names.push_back(name);
  return static_cast<std::int32_t>(index);
}

bool Compiler::is_shared(const Var& var) const {
  const auto declared = declared_depth_.find(var);
  const std::size_t from = declared == declared_depth_.end() ? 0 : declared->second;
  for (std::size_t k = from; k < parallel_loops_.size(); k++) {
    const auto& reductions = parallel_loops_[k]->reductions;
    const bool reduces =
        std::any_of(reductions.begin(), reductions.end(), [&](const Reduction& each) { return each.var == var; });
    if (!reduces) return true;
  }
  return false;
}

std::unique_ptr<const Program> compile(Module module) {
  auto program = std::make_unique<Program>();
  program->module = std::move(module);
  // Headers first: functions may call each other whatever their order.
  std::vector<Compiler> compilers;
  for (const Function& each : program->module.functions) {
    FunctionCode& code = program->functions.emplace_back();
    code.name = each.name;
    code.result = each.result;
    Compiler& compiler = compilers.emplace_back(*program, code);
    for (const Var& parameter : each.parameters) compiler.add_parameter(parameter);
  }
  for (std::size_t k = 0; k < compilers.size(); k++) {
    program->functions[k].body = compilers[k].compile(program->module.functions[k].body);
  }
  program->kernel.name = program->module.name;
  Compiler kernel(*program, program->kernel);
  for (const Parameter& each : program->module.parameters) kernel.add_parameter(each.var);
  program->kernel.body = kernel.compile(program->module.body);
  return program;
}

}  // namespace lacuna::loop::interpreter

#include "lacuna/loop/interpret.h"

#include <functional>

#include "lacuna/loop/interpret/code.h"
#include "lacuna/loop/interpret/machine.h"
#include "lacuna/loop/layout.h"
#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

using interpreter::Frame;
using interpreter::Machine;
using interpreter::Memory;
using interpreter::Program;

/// The memory of the parameters that are arrays, in their order.
using Memories = std::vector<std::unique_ptr<Memory>>;

bool overlap(const Memory& a, const Memory& b) {
  if (!a.data() || !b.data() || a.count() == 0 || b.count() == 0) return false;
  const std::less<const std::byte*> before;
  return before(a.data(), b.data() + b.count() * b.element_bytes()) &&
         before(b.data(), a.data() + a.count() * a.element_bytes());
}

/// The compiled code relies on it: what a kernel writes is read through no other parameter.
void check_no_aliases(const std::vector<Parameter>& parameters, const Memories& memories, const Machine& machine) {
  std::vector<std::pair<const Parameter*, const Memory*>> arrays;
  for (const Parameter& each : parameters) {
    if (each.var.type().is_memory()) arrays.emplace_back(&each, memories[arrays.size()].get());
  }
  for (const auto& [parameter, memory] : arrays) {
    if (!parameter->written) continue;
    for (const auto& [other, others] : arrays) {
      if (other == parameter || !overlap(*memory, *others)) continue;
      machine.fail_with("{} is written and shares memory with {}", parameter->var.name(), other->var.name());
    }
  }
}

Memories bind(const Program& program, const std::vector<Binding>& bindings, Frame& frame, LaunchTarget* device) {
  const std::vector<Parameter>& parameters = program.module.parameters;
  internal_check(bindings.size() == parameters.size(), "{} has {} parameters and is run with {} bindings",
                 program.module.name, parameters.size(), bindings.size());
  Memories memories;
  std::size_t slot = 0;
  for (std::size_t k = 0; k < parameters.size(); k++) {
    const Var& var = parameters[k].var;
    if (var.type().is_memory()) {
      internal_check(bindings[k].count >= 0, "{} is bound to {} elements", var.name(), bindings[k].count);
      memories.push_back(std::make_unique<Memory>(var, element_size(var.type()), device));
      memories.back()->borrow(bindings[k].data, bindings[k].count);
      frame.arrays[memories.size() - 1] = memories.back().get();
    } else {
      frame.slots[slot++] = {interpreter::from_scalar(bindings[k].scalar.convert(var.type().scalar)), true};
    }
  }
  return memories;
}

std::vector<Output> collect(const Program& program, const Frame& frame, Memories& memories, const Machine& machine) {
  std::vector<Output> outputs;
  std::size_t slot = 0;
  std::size_t array = 0;
  for (const Parameter& each : program.module.parameters) {
    Output output;
    if (each.var.type().is_memory()) {
      Memory& memory = *memories[array++];
      if (memory.is_owned() && !each.out) {
        machine.fail_with("{} is allocated, but is no out parameter, and is never released", each.var.name());
      }
      if (each.out) output.count = memory.count();
      if (memory.is_owned() && machine.device != nullptr) output.on_device = memory.take_from_device();
      else if (memory.is_owned()) output.data = memory.take();
    } else {
      const interpreter::Slot& held = frame.slots[slot++];
      if (each.out) output.scalar = interpreter::to_scalar(held.value, each.var.type().scalar);
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace

Interpreter::Interpreter(Module module) : program_(interpreter::compile(std::move(module))) {}
Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter& Interpreter::operator=(Interpreter&&) noexcept = default;

Interpretation Interpreter::run(const std::vector<Binding>& bindings, const InterpretOptions& options,
                                LaunchTarget* device) const {
  const Program& program = *program_;
  Machine machine(program, options, device);
  Frame& frame = machine.push_frame(program.kernel);
  Memories memories = bind(program, bindings, frame, device);
  machine.use_frame(frame, program.kernel);
  if (device == nullptr) check_no_aliases(program.module.parameters, memories, machine);
  program.kernel.body->run(*program.kernel.body, machine);
  machine.current = nullptr;
  Interpretation done;
  done.outputs = collect(program, frame, memories, machine);
  machine.pop_frame();
  done.counters = machine.counters();
  return done;
}

Interpretation interpret(const Module& module, const std::vector<Binding>& bindings, const InterpretOptions& options) {
  return Interpreter(module).run(bindings, options);
}

}  // namespace lacuna::loop

#include "lacuna/loop/interpret/control.h"

#include "lacuna/loop/interpret/machine.h"
#include "lacuna/support/error.h"

namespace lacuna::loop::interpreter {
namespace {

const Var& target_of(const Step& step) {
  const auto& kind = step.source->kind;
  if (const auto* assign = std::get_if<Assign>(&kind)) return assign->var;
  if (const auto* allocate = std::get_if<Allocate>(&kind)) return allocate->array;
  if (const auto* resize = std::get_if<Resize>(&kind)) return resize->array;
  return std::get<Release>(kind).array;
}

Type loop_type(const Step& step) { return std::get<For>(step.source->kind).var.type().scalar; }

/// Whether `a < b` holds for loop bounds of the type.
bool less(std::int64_t a, std::int64_t b, Type type) {
  return type == Type::UInt64 ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) : a < b;
}

/// The number of iterations. The distance of two int64 fits a uint64.
std::uint64_t iterations(std::int64_t low, std::int64_t high, const Step& step) {
  if (!less(low, high, loop_type(step))) return 0;
  const std::uint64_t distance = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return (distance - 1) / static_cast<std::uint64_t>(step.step) + 1;
}

void check_no_overflow(std::int64_t low, std::uint64_t trips, const Step& step, Machine& machine) {
  if (trips == 0 || step.step == 1) return;
  // After the last iteration C adds the step once more.
  const std::uint64_t last = static_cast<std::uint64_t>(low) + trips * static_cast<std::uint64_t>(step.step);
  const Type type = loop_type(step);
  const auto end = static_cast<std::int64_t>(last);
  const bool fits = less(low, end, type) && Scalar(end).convert(type).as<std::int64_t>() == end;
  if (!fits) machine.fail_with("the loop variable overflows {} after its last iteration", type_name(type));
}

Flow run_in_order(const Step& step, std::int64_t low, std::uint64_t trips, Machine& machine) {
  for (std::uint64_t k = 0; k < trips; k++) {
    const auto index =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + k * static_cast<std::uint64_t>(step.step));
    const Flow flow = run_iteration(step, index, machine);
    if (flow == Flow::Break) return Flow::Next;
    if (flow == Flow::Return) return flow;
  }
  return Flow::Next;
}

/// What stands on a shelf that goes would be lost.
void check_empty(const Memory& memory, Machine& machine) {
  if (!memory.is_shelf()) return;
  for (std::int64_t place = 0; place < memory.count(); place++) {
    if (memory.kept(place)) machine.fail_with("{} is released and still keeps an array at {}", memory.name(), place);
  }
}

std::int64_t checked_count(const Memory& memory, const Step& step, Machine& machine) {
  const std::int64_t count = step.a->run(*step.a, machine).i;
  if (count < 0) machine.fail_with("{} is given a negative count: {}", memory.name(), count);
  if (count > machine.options().max_bytes / memory.element_bytes()) {
    machine.fail_with("{} is given {} elements, more than {} bytes", memory.name(), count, machine.options().max_bytes);
  }
  return count;
}

}  // namespace

Memory& changed_memory(const Step& step, Machine& machine) {
  machine.current = step.source;
  Memory& memory = *machine.arrays[step.slot];
  if (step.parallel && machine.options().check_races) {
    machine.fail_with("a race: {} is declared outside a parallel loop that changes its memory", memory.name());
  }
  return memory;
}

Flow run_iteration(const Step& step, std::int64_t index, Machine& machine) {
  machine.count_step();
  machine.trips(step.trips)++;
  Slot& variable = machine.slots[step.slot];
  variable.value = put(index);
  variable.assigned = true;
  return step.body->run(*step.body, machine);
}

Flow run_declare(const Step& step, Machine& machine) {
  machine.current = step.source;
  machine.slots[step.slot] = {step.a->run(*step.a, machine), true};
  return Flow::Next;
}

Flow run_declare_bare(const Step& step, Machine& machine) {
  machine.slots[step.slot].assigned = false;
  return Flow::Next;
}

Flow run_declare_array(const Step& step, Machine& machine) {
  machine.current = step.source;
  Memory& memory = *machine.arrays[step.slot];
  if (memory.is_owned()) machine.fail_with("{} goes out of scope and was not released", memory.name());
  memory.reset();
  memory.declared_at(machine.clock.depth());
  return Flow::Next;
}

Flow run_declare_local(const Step& step, Machine& machine) {
  machine.current = step.source;
  Memory& memory = *machine.arrays[step.slot];
  memory.make_local(step.step);
  memory.declared_at(machine.clock.depth());
  return Flow::Next;
}

Flow run_assign(const Step& step, Machine& machine) {
  machine.current = step.source;
  const Value value = step.a->run(*step.a, machine);
  machine.slots[step.slot] = {value, true};
  return Flow::Next;
}

Flow run_shared_assign(const Step& step, Machine& machine) {
  machine.current = step.source;
  if (machine.options().check_races) {
    machine.fail_with("a race: {} is declared outside a parallel loop that assigns it and is no reduction of the loop",
                      target_of(step).name());
  }
  return run_assign(step, machine);
}

Flow run_if(const Step& step, Machine& machine) {
  machine.current = step.source;
  if (step.a->run(*step.a, machine).i != 0) return step.body->run(*step.body, machine);
  return step.other ? step.other->run(*step.other, machine) : Flow::Next;
}

Flow run_for(const Step& step, Machine& machine) {
  machine.current = step.source;
  const std::int64_t low = step.a->run(*step.a, machine).i;
  const std::int64_t high = step.b->run(*step.b, machine).i;
  const std::uint64_t trips = iterations(low, high, step);
  check_no_overflow(low, trips, step, machine);
  if (trips == 0) return Flow::Next;
  return step.parallel ? run_parallel(step, low, trips, machine) : run_in_order(step, low, trips, machine);
}

Flow run_while(const Step& step, Machine& machine) {
  while (true) {
    machine.current = step.source;
    if (step.a->run(*step.a, machine).i == 0) return Flow::Next;
    machine.count_step();
    machine.trips(step.trips)++;
    const Flow flow = step.body->run(*step.body, machine);
    if (flow == Flow::Break) return Flow::Next;
    if (flow == Flow::Return) return flow;
  }
}

Flow run_sequence(const Step& step, Machine& machine) {
  for (const Step* each : *step.sequence) {
    const Flow flow = each->run(*each, machine);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Flow run_allocate(const Step& step, Machine& machine) {
  Memory& memory = changed_memory(step, machine);
  if (memory.is_owned()) {
    machine.fail_with("{} is allocated twice and its first memory was never released", memory.name());
  }
  if (!memory.allocate(checked_count(memory, step, machine), step.flag)) throw RuntimeFailure("out of memory");
  return Flow::Next;
}

Flow run_resize(const Step& step, Machine& machine) {
  Memory& memory = changed_memory(step, machine);
  if (!memory.is_owned()) machine.fail_with("{} is resized and was not allocated", memory.name());
  if (!memory.resize(checked_count(memory, step, machine))) throw RuntimeFailure("out of memory");
  return Flow::Next;
}

Flow run_release(const Step& step, Machine& machine) {
  Memory& memory = changed_memory(step, machine);
  if (!memory.is_owned()) machine.fail_with("{} is released and was not allocated", memory.name());
  check_empty(memory, machine);
  memory.reset();
  return Flow::Next;
}

Flow run_evaluate(const Step& step, Machine& machine) {
  machine.current = step.source;
  step.a->run(*step.a, machine);
  return Flow::Next;
}

Flow run_return(const Step& step, Machine& machine) {
  machine.current = step.source;
  if (step.a) machine.result = step.a->run(*step.a, machine);
  return Flow::Return;
}

Flow run_break(const Step&, Machine&) { return Flow::Break; }

Value run_call(const Code& code, Machine& machine) {
  machine.count_step();
  const FunctionCode& callee = *code.callee;
  const FunctionCode* caller = machine.function;
  const StmtNode* statement = machine.current;
  Slot* const slots = machine.slots;
  Memory** const arrays = machine.arrays;
  Frame& frame = machine.push_frame(callee);
  std::size_t slot = 0;
  std::size_t array = 0;
  for (const Code* each : *code.arguments) {
    if (each->run == nullptr) frame.arrays[array++] = arrays[each->slot];
    else frame.slots[slot++] = {each->run(*each, machine), true};
  }
  machine.use_frame(frame, callee);
  const Flow flow = callee.body->run(*callee.body, machine);
  const bool is_void = callee.result.kind == IrType::Kind::Void;
  if (!is_void && flow != Flow::Return) machine.fail_with("{} ends without returning a value", callee.name);
  machine.pop_frame();
  machine.slots = slots;
  machine.arrays = arrays;
  machine.function = caller;
  machine.current = statement;
  return machine.result;
}

}  // namespace lacuna::loop::interpreter

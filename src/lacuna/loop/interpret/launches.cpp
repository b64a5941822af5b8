#include "lacuna/loop/interpret/control.h"
#include "lacuna/loop/interpret/machine.h"

namespace lacuna::loop::interpreter {

Flow run_launch(const Step& step, Machine& machine) {
  if (machine.device == nullptr && !step.flag) return step.body->run(*step.body, machine);
  machine.current = step.source;
  machine.count_step();
  const std::int64_t blocks = step.a->run(*step.a, machine).i;
  if (blocks <= 0) return Flow::Next;
  if (machine.device == nullptr) return run_blocks(step, blocks, machine);
  const auto& launch = std::get<Launch>(step.source->kind);
  std::vector<Binding> captured;
  for (std::size_t k = 0; k < launch.captured.size(); ++k) {
    const Code& each = *(*step.arguments)[k];
    if (each.run == nullptr) {
      const Memory& memory = *machine.arrays[each.slot];
      captured.push_back({Scalar(), memory.data(), memory.count()});
    } else {
      captured.push_back({to_scalar(each.run(each, machine), launch.captured[k].type().scalar), nullptr, 0});
    }
  }
  machine.device->launch(launch, blocks, captured);
  return Flow::Next;
}

Flow run_read_back(const Step& step, Machine& machine) {
  if (machine.device == nullptr) return step.body->run(*step.body, machine);
  machine.current = step.source;
  const Memory& memory = *machine.arrays[step.other_slot];
  const std::int64_t index = step.a->run(*step.a, machine).i;
  if (index < 0 || index >= memory.count())
    machine.fail_with("{} of {} elements is read back at {}", memory.name(), memory.count(), index);
  const Value value = visit_type(step.type, [&](auto zero) {
    auto element = zero;
    machine.device->read(memory.data(), index * memory.element_bytes(), &element, sizeof element);
    return from_scalar(Scalar(element));
  });
  machine.slots[step.slot] = {value, true};
  return Flow::Next;
}

}  // namespace lacuna::loop::interpreter

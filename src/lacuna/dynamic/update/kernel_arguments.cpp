#include "lacuna/dynamic/update/kernel_arguments.h"

#include "lacuna/loop/layout.h"
#include "lacuna/support/error.h"

namespace lacuna {

KernelArguments::KernelArguments(const Storage& shape, std::vector<Type> coordinates)
    : type_(shape.type),
      coordinates_(std::move(coordinates)),
      levels_(shape.levels.size()),
      batch_levels_(shape.levels.size()),
      counts_(static_cast<std::size_t>(UpdateCounts{shape.order()}.size()) + 2 * line) {
  for (std::size_t k = 0; k < levels_.size(); ++k) levels_[k].extent = shape.levels[k].extent;
  tensor_.version = batch_.version = LACUNA_ABI_VERSION;
  tensor_.order = shape.order();
  tensor_.levels = levels_.data();
  batch_.levels = batch_levels_.data();
  batch_levels_[0].pos.data = &count(0);
}

void KernelArguments::set_memory(const NodeMemory& memory) {
  std::size_t all = 0;
  for (std::size_t k = 0; k < levels_.size(); ++k) all += memory.arrays(static_cast<int>(k));
  nodes_.assign(all, {});
  std::size_t next = 0;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const int level = static_cast<int>(k);
    const std::size_t arrays = memory.arrays(level);
    if (arrays == 0) continue;
    levels_[k].nodes = &nodes_[next];
    levels_[k].node_arrays = static_cast<std::int64_t>(arrays);
    for (std::size_t a = 0; a < arrays; ++a) nodes_[next++].data = memory.block(level, a);
  }
  tensor_.vals.data = memory.block(-1, 0);
}

void KernelArguments::set_batch(const std::vector<const void*>& columns, const void* values, std::int64_t updates) {
  for (std::size_t k = 0; k < columns.size(); ++k) batch_levels_[k].crd.data = const_cast<void*>(columns[k]);
  batch_.vals.data = const_cast<void*>(values);
  batch_levels_[0].positions = updates;
}

void KernelArguments::cut_batch(std::int64_t begin, std::int64_t updates) {
  const auto move = [&](void*& data, Type type) {
    if (data != nullptr) data = static_cast<std::byte*>(data) + begin * size_of(type);
  };
  for (std::size_t k = 0; k < batch_levels_.size(); ++k) move(batch_levels_[k].crd.data, coordinates_[k]);
  move(batch_.vals.data, type_);
  batch_levels_[0].positions = updates;
}

std::int32_t KernelArguments::call(const UpdatePlan& plan, lacuna_context context, bool may_grow) {
  batch_levels_[0].extent = may_grow ? 1 : 0;
  lacuna_tensor* arguments[] = {&tensor_, &batch_};
  return plan.kernel.entry()(&context, arguments);
}

loop::Binding KernelArguments::binding(const Slot& slot, const loop::IrType& type, const NodeMemory& memory) const {
  const auto level = static_cast<std::size_t>(slot.level);
  const bool tensor = slot.argument == 0;
  const lacuna_level& from = tensor ? levels_[level] : batch_levels_[level];
  if (!type.is_memory())
    return {Scalar(slot.field == DescriptorField::Extent ? from.extent : from.positions), nullptr, 0};
  if (tensor && slot.field == DescriptorField::Values)
    return {{}, tensor_.vals.data, memory.bytes(-1, 0) / loop::element_size(type)};
  if (tensor) return {{}, from.nodes[slot.array].data, memory.bytes(slot.level, slot.array) / loop::element_size(type)};
  if (slot.field == DescriptorField::Values) return {{}, batch_.vals.data, updates()};
  if (slot.field == DescriptorField::Crd) return {{}, from.crd.data, updates()};
  return {{}, from.pos.data, std::ssize(counts_) - 2 * static_cast<std::int64_t>(line)};
}

void KernelArguments::interpret(const UpdatePlan& plan, const NodeMemory& memory,
                                const loop::InterpretOptions& options) {
  batch_levels_[0].extent = 0;
  std::vector<loop::Binding> bindings;
  for (std::size_t p = 0; p < plan.lowered.slots.size(); ++p)
    bindings.push_back(binding(plan.lowered.slots[p], plan.lowered.module.parameters[p].var.type(), memory));
  plan.interpreter->run(bindings, options);
}

}  // namespace lacuna

#include "lacuna/dynamic/update/find_entries.h"

#include "lacuna/compile/plan/update_plan.h"
#include "lacuna/loop/layout.h"
#include "lacuna/runtime/descriptor.h"
#include "lacuna/runtime/kernel_memory.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// The batch as a kernel gets it: coordinates, and what is found.
Storage batch_of(const Storage& tensor, const std::vector<Array>& columns) {
  Storage batch;
  batch.format = coo_format(tensor.order());
  batch.type = tensor.type;
  batch.dimensions = tensor.dimensions;
  const std::int64_t count = columns.front().size();
  for (const Array& column : columns) {
    LevelStorage level;
    level.positions = count;
    level.crd = column;
    batch.levels.push_back(std::move(level));
  }
  batch.levels.front().present = Array::allocate(Type::UInt8, count, true);
  batch.values = Array::allocate(tensor.type, count, true);
  return batch;
}

loop::Binding binding_of(const Storage& t, const Slot& slot, const loop::IrType& type) {
  const LevelStorage& level = t.levels[static_cast<std::size_t>(slot.level)];
  if (!type.is_memory())
    return {Scalar(slot.field == DescriptorField::Extent ? level.extent : level.positions), nullptr, 0};
  const Array& array = slot.field == DescriptorField::Values  ? t.values
                       : slot.field == DescriptorField::Crd   ? level.crd
                       : slot.field == DescriptorField::Nodes ? level.nodes[slot.array]
                                                              : level.present;
  return {{}, const_cast<void*>(array.data()), array.bytes() / loop::element_size(type)};
}

void interpret(const UpdatePlan& plan, const Storage& tensor, const Storage& batch, const Options& options) {
  std::vector<loop::Binding> bindings;
  for (std::size_t p = 0; p < plan.lowered.slots.size(); ++p) {
    const Slot& slot = plan.lowered.slots[p];
    bindings.push_back(
        binding_of(slot.argument == 0 ? tensor : batch, slot, plan.lowered.module.parameters[p].var.type()));
  }
  plan.interpreter->run(bindings, options.interpret);
}

void call(const UpdatePlan& plan, const Storage& tensor, const Storage& batch) {
  Descriptor first(tensor), second(batch);
  KernelMemory memory;
  lacuna_context context = memory.context(1);
  lacuna_tensor* arguments[] = {first.get(), second.get()};
  const std::int32_t status = plan.kernel.entry()(&context, arguments);
  if (status == LACUNA_OUT_OF_MEMORY) throw RuntimeFailure("out of memory while entries were looked up");
  internal_check(status == LACUNA_OK, "a lookup returned status {}", status);
}

std::shared_ptr<const UpdatePlan> lookup_plan(Compiler& engine, const Storage& tensor, const Options& options) {
  UpdateRequest request{tensor.format, tensor.type, {}, UpdateOperation::Find};
  for (const LevelStorage& level : tensor.levels) request.coordinates.push_back(coordinate_type(level.extent));
  return engine.update_plan(request, options);
}

}  // namespace

FoundEntries find_entries(Compiler& engine, const Storage& tensor, const std::vector<Array>& columns,
                          const Options& options) {
  const auto plan = lookup_plan(engine, tensor, options);
  const Storage batch = batch_of(tensor, columns);
  if (plan->interpreter) interpret(*plan, tensor, batch, options);
  else call(*plan, tensor, batch);
  return {batch.values, batch.levels.front().present};
}

void prepare_lookup(Compiler& engine, const Storage& tensor, const Options& options) {
  lookup_plan(engine, tensor, options);
}

}  // namespace lacuna

#include <cstdlib>
#include <cstring>

#include "lacuna/compile/update/updated_tensor.h"
#include "lacuna/loop/layout.h"
#include "lacuna/support/error.h"

namespace lacuna {

/// Runs a kernel in the checking interpreter, as `call` runs the compiled one.
void UpdatedTensor::interpret(const UpdatePlan& plan, std::int64_t count) {
  const loop::Module& module = plan.lowered.module;
  std::vector<loop::Binding> bindings;
  for (std::size_t p = 0; p < plan.lowered.slots.size(); ++p) {
    const Slot& slot = plan.lowered.slots[p];
    const loop::IrType& type = module.parameters[p].var.type();
    const auto level = static_cast<std::size_t>(slot.level);
    if (!type.is_memory()) {
      const lacuna_level& from = slot.argument == 0 ? levels_[level] : batch_levels_[level];
      bindings.push_back(
          {Scalar(slot.field == DescriptorField::Extent ? from.extent : from.positions), nullptr, 0});
    } else if (slot.argument == 0) {
      const int of = slot.field == DescriptorField::Values ? -1 : slot.level;
      bindings.push_back({{}, memory_->block(of, slot.array), memory_->bytes(of, slot.array) / loop::element_size(type)});
    } else if (slot.field == DescriptorField::Values) {
      bindings.push_back({{}, batch_.vals.data, count});
    } else if (slot.field == DescriptorField::Crd) {
      bindings.push_back({{}, batch_levels_[level].crd.data, count});
    } else {
      const bool counts = slot.level == 0 && batch_levels_[level].pos.data == counts_.data();
      bindings.push_back({{}, batch_levels_[level].pos.data, counts ? count_.size() : count});
    }
  }
  const loop::Interpretation ran = plan.interpreter->run(bindings, options_.interpret);
  for (std::size_t p = 0; p < plan.lowered.slots.size(); ++p) {
    const Slot& slot = plan.lowered.slots[p];
    const loop::Output& out = ran.outputs[p];
    if (!module.parameters[p].out || out.data == nullptr) continue;
    const auto bytes = static_cast<std::size_t>(out.count * loop::element_size(module.parameters[p].var.type()));
    void* moved = allocate_unzeroed(std::max<std::size_t>(bytes, 1));
    if (moved == nullptr) throw RuntimeFailure("out of memory while a tensor was updated");
    std::memcpy(moved, out.data.get(), bytes);
    const int of = slot.field == DescriptorField::Values ? -1 : slot.level;
    std::free(memory_->block(of, slot.array));
    memory_->set_block(of, slot.array, moved);
  }
  memory_->set_values_room(counts_[static_cast<std::size_t>(count_.capacity())] * block_of_values());
  set_addresses();
}

}  // namespace lacuna

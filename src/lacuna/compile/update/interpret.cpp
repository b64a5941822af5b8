#include "lacuna/compile/update/updated_tensor.h"
#include "lacuna/loop/layout.h"

namespace lacuna {

/// Runs a kernel in the checking interpreter, where memory that is given cannot grow: the kernel stops before that.
void UpdatedTensor::interpret(const UpdatePlan& plan, std::int64_t count) {
  const loop::Module& module = plan.lowered.module;
  std::vector<loop::Binding> bindings;
  for (std::size_t p = 0; p < plan.lowered.slots.size(); ++p) {
    const Slot& slot = plan.lowered.slots[p];
    const loop::IrType& type = module.parameters[p].var.type();
    const auto level = static_cast<std::size_t>(slot.level);
    if (!type.is_memory()) {
      const lacuna_level& from = slot.argument == 0 ? levels_[level] : batch_levels_[level];
      bindings.push_back({Scalar(slot.field == DescriptorField::Extent ? from.extent : from.positions), nullptr, 0});
    } else if (slot.argument == 0) {
      const int of = slot.field == DescriptorField::Values ? -1 : slot.level;
      bindings.push_back(
          {{}, memory_->block(of, slot.array), memory_->bytes(of, slot.array) / loop::element_size(type)});
    } else if (slot.field == DescriptorField::Values) {
      bindings.push_back({{}, batch_.vals.data, count});
    } else if (slot.field == DescriptorField::Crd) {
      bindings.push_back({{}, batch_levels_[level].crd.data, count});
    } else {
      const bool counts = slot.level == 0 && batch_levels_[level].pos.data == counts_.data();
      bindings.push_back({{}, batch_levels_[level].pos.data, counts ? count_.size() : count});
    }
  }
  plan.interpreter->run(bindings, options_.interpret);
}

/// Makes room and goes on wherever a kernel stopped.
void UpdatedTensor::interpret_all(const UpdatePlan& plan, std::int64_t count) {
  std::int64_t& done = counts_[static_cast<std::size_t>(count_.done())];
  std::int64_t& capacity = counts_[static_cast<std::size_t>(count_.capacity())];
  const auto skip = [](void*& data, std::int64_t bytes) { data = static_cast<std::byte*>(data) + bytes; };
  for (std::int64_t before = 0; true;) {
    interpret(plan, count - before);
    const std::int64_t made = done;
    done += before;
    if (done == count) return;
    capacity = capacity * 2 + 1;
    const bool grew = memory_->grow(capacity * block_of_values());
    set_addresses();
    if (!grew) return;
    for (std::size_t k = 0; k < batch_levels_.size(); ++k)
      skip(batch_levels_[k].crd.data, made * size_of(request_.coordinates[k]));
    skip(batch_.vals.data, made * size_of(request_.type));
    before = done;
    batch_levels_[0].positions = count - before;
    done = 0;
  }
}

}  // namespace lacuna

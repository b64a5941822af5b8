#include "lacuna/compile/run/bindings.h"

#include "lacuna/loop/layout.h"

namespace lacuna {
namespace {

const Array* array_of(const Storage& t, const Slot& slot) {
  if (slot.field == DescriptorField::Values) return &t.values;
  const LevelStorage& l = t.levels[static_cast<std::size_t>(slot.level)];
  switch (slot.field) {
    case DescriptorField::Pos: return &l.pos;
    case DescriptorField::Crd: return &l.crd;
    case DescriptorField::Present: return &l.present;
    default: return nullptr;
  }
}

/// `element_bytes`: of an array of nodes.
loop::Binding bind(const Storage& t, const Slot& slot, std::int64_t element_bytes, int threads) {
  if (slot.field == DescriptorField::Threads) return {Scalar(std::int64_t{threads}), nullptr, 0};
  if (slot.field == DescriptorField::ValuesSize) return {Scalar(t.values.size()), nullptr, 0};
  if (slot.field == DescriptorField::ValuesBase) return {Scalar(t.values.base()), nullptr, 0};
  if (const Array* array = array_of(t, slot)) return {{}, const_cast<void*>(array->data()), array->size()};
  const LevelStorage& l = t.levels[static_cast<std::size_t>(slot.level)];
  if (slot.field == DescriptorField::Nodes) {
    if (l.nodes.empty()) return {{}, nullptr, 0};
    const Array& nodes = l.nodes[slot.array];
    return {{}, const_cast<void*>(nodes.data()), nodes.bytes() / element_bytes};
  }
  switch (slot.field) {
    case DescriptorField::Origin: return {Scalar(l.origin), nullptr, 0};
    case DescriptorField::Extent: return {Scalar(l.extent), nullptr, 0};
    case DescriptorField::Positions: return {Scalar(l.positions), nullptr, 0};
    case DescriptorField::PosBase: return {Scalar(l.pos.base()), nullptr, 0};
    case DescriptorField::CrdBase: return {Scalar(l.crd.base()), nullptr, 0};
    default: break;
  }
  throw InternalError("internal error: a parameter that is bound to nothing");
}

}  // namespace

std::vector<loop::Binding> bindings_of(const Plan& plan, std::span<const Storage> results,
                                       const std::vector<Storage>& operands, int threads) {
  std::vector<loop::Binding> bindings;
  for (std::size_t k = 0; k < plan.lowered.slots.size(); ++k) {
    const Slot& slot = plan.lowered.slots[k];
    const loop::IrType& type = plan.lowered.module.parameters[k].var.type();
    const auto argument = static_cast<std::size_t>(slot.argument);
    bindings.push_back(bind(argument < results.size() ? results[argument] : operands[argument - results.size()], slot,
                            type.is_memory() ? loop::element_size(type) : 0, threads));
  }
  return bindings;
}

const Array* operand_array(const Plan& plan, std::size_t parameter, std::size_t results,
                           const std::vector<Storage>& operands) {
  const Slot& slot = plan.lowered.slots[parameter];
  const auto argument = static_cast<std::size_t>(slot.argument);
  if (argument < results || slot.field == DescriptorField::Threads) return nullptr;
  return array_of(operands[argument - results], slot);
}

void hand_over(const Plan& plan, loop::Interpretation& ran,
               const std::function<OwnedMemory(std::size_t parameter, loop::Output& out)>& memory,
               FewOrMany<KernelOutputs, 1>& outputs) {
  for (std::size_t k = 0; k < plan.lowered.slots.size(); ++k) {
    if (!plan.lowered.module.parameters[k].out) continue;
    const Slot& slot = plan.lowered.slots[k];
    loop::Output& out = ran.outputs[k];
    KernelOutputs& of_result = outputs[static_cast<std::size_t>(slot.argument)];
    if (slot.field == DescriptorField::Positions)
      of_result.counts->push_back({slot.level, out.scalar.as<std::int64_t>()});
    else of_result.arrays->push_back({slot.level, slot.field, slot.array, memory(k, out)});
  }
}

}  // namespace lacuna

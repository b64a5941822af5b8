#include "lacuna/compile/run/bindings.h"

#include "lacuna/loop/layout.h"

namespace lacuna {
namespace {

void* address(const LevelStorage& l, DescriptorField field) {
  const Array& a = field == DescriptorField::Pos ? l.pos : field == DescriptorField::Crd ? l.crd : l.present;
  return const_cast<void*>(a.data());
}

/// `element_bytes`: of an array of nodes.
loop::Binding bind(const Storage& t, const Slot& slot, std::int64_t element_bytes, int threads) {
  if (slot.field == DescriptorField::Threads) return {Scalar(std::int64_t{threads}), nullptr, 0};
  if (slot.field == DescriptorField::Values) return {{}, const_cast<void*>(t.values.data()), t.values.size()};
  if (slot.field == DescriptorField::ValuesSize) return {Scalar(t.values.size()), nullptr, 0};
  if (slot.field == DescriptorField::ValuesBase) return {Scalar(t.values.base()), nullptr, 0};
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
  const Array& a = slot.field == DescriptorField::Pos ? l.pos : slot.field == DescriptorField::Crd ? l.crd : l.present;
  return {{}, address(l, slot.field), a.size()};
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

#include <chrono>
#include <limits>

#include "lacuna/compile/descriptor.h"
#include "lacuna/compile/plan.h"
#include "lacuna/compile/result.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The same numbers in an array of another integer type, which holds them.
Array widened(const Array& array, Type type) {
  if (array.data() == nullptr || array.type() == type) return array;
  Array out = Array::allocate(type, array.size(), false);
  for (std::int64_t k = 0; k < array.size(); ++k)
    Scalar(array.integer(k)).convert(type).store(static_cast<char*>(out.mutable_data()) + k * size_of(type));
  return out;
}

/// The copy of an operand that a kernel reads. Converting keeps arrays that do not change, in their own widths.
Storage copy_of(const Storage& source, const Format& format, const concrete::Tensor& wanted, int threads) {
  Storage copy = convert(source, format, threads);
  for (std::size_t k = 0; k < wanted.widths.size(); ++k) {
    copy.levels[k].pos = widened(copy.levels[k].pos, wanted.widths[k].pos);
    copy.levels[k].crd = widened(copy.levels[k].crd, wanted.widths[k].crd);
  }
  return copy;
}

/// The kernel's operands in the order of its arguments, copies made.
std::vector<Storage> gather(const Plan& plan, const CheckedRequest& checked,
                            const std::map<std::string, Storage>& operands, int threads) {
  const Statement& s = checked.problem.statement;
  const auto source = [&](const std::string& name) -> const Storage& {
    return operands.at(name == old_result_name(s) ? s.lhs.tensor.name() : name);
  };
  std::vector<Storage> gathered;
  for (const concrete::Tensor& t : plan.scheduled.program.tensors) {
    if (t.role != concrete::Role::Operand) continue;
    const OperandCopy* copy = nullptr;
    for (const OperandCopy& c : plan.scheduled.copies)
      if (c.name == t.var.name()) copy = &c;
    gathered.push_back(copy != nullptr ? copy_of(source(copy->source), copy->format, t, threads)
                                       : source(t.var.name()));
    const Storage& g = gathered.back();
    for (std::size_t k = 0; k < t.widths.size(); ++k) {
      const LevelStorage& l = g.levels[k];
      const bool fits = (l.pos.data() == nullptr || l.pos.type() == t.widths[k].pos) &&
                        (l.crd.data() == nullptr || l.crd.type() == t.widths[k].crd);
      internal_check(fits, "level {} of {} has other array widths than its kernel", k + 1, t.var.name());
    }
  }
  return gathered;
}

void* address(const LevelStorage& l, DescriptorField field) {
  const Array& a = field == DescriptorField::Pos ? l.pos : field == DescriptorField::Crd ? l.crd : l.present;
  return const_cast<void*>(a.data());
}

loop::Binding bind(const Storage& t, const Slot& slot, int threads) {
  if (slot.field == DescriptorField::Threads) return {Scalar(std::int64_t{threads}), nullptr, 0};
  if (slot.field == DescriptorField::Values) return {{}, const_cast<void*>(t.values.data()), t.values.size()};
  if (slot.field == DescriptorField::ValuesBase) return {Scalar(t.values.base()), nullptr, 0};
  const LevelStorage& l = t.levels[static_cast<std::size_t>(slot.level)];
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

/// Runs the kernel in the checking interpreter; what it hands back goes where the C kernel would put it.
void interpret_kernel(const Plan& plan, Storage& result, const std::vector<Storage>& operands, const Options& options,
                      KernelOutputs& outputs, Report& report) {
  std::vector<loop::Binding> bindings;
  for (const Slot& slot : plan.lowered.slots)
    bindings.push_back(bind(slot.argument == 0 ? result : operands[static_cast<std::size_t>(slot.argument - 1)], slot,
                            options.target.threads));
  loop::Interpretation ran = loop::interpret(plan.lowered.module, bindings, options.interpret);
  report.counters = ran.counters;
  for (std::size_t k = 0; k < plan.lowered.slots.size(); ++k) {
    if (!plan.lowered.module.parameters[k].out) continue;
    const Slot& slot = plan.lowered.slots[k];
    const loop::Output& out = ran.outputs[k];
    if (slot.field == DescriptorField::Positions) outputs.positions[slot.level] = out.scalar.as<std::int64_t>();
    else outputs.arrays[{slot.level, slot.field}] = out.data;
  }
}

void call_kernel(const Plan& plan, Storage& result, const std::vector<Storage>& operands, const Options& options,
                 KernelOutputs& outputs) {
  std::vector<Descriptor> descriptors;
  descriptors.reserve(operands.size() + 1);
  descriptors.emplace_back(result);
  for (const Storage& t : operands) descriptors.emplace_back(t);
  std::vector<lacuna_tensor*> arguments;
  for (Descriptor& d : descriptors) arguments.push_back(d.get());
  KernelMemory memory;
  lacuna_context context = memory.context(options.target.threads);
  const std::int32_t status = plan.kernel.entry()(&context, arguments.data());
  if (status == LACUNA_OUT_OF_MEMORY)
    throw RuntimeFailure("out of memory while computing " + plan.scheduled.program.text);
  internal_check(status == LACUNA_OK, "the kernel returned status {}", status);
  for (std::size_t k = 0; k < plan.lowered.slots.size(); ++k) {
    if (!plan.lowered.module.parameters[k].out) continue;
    const Slot& slot = plan.lowered.slots[k];
    if (slot.field == DescriptorField::Values) {
      outputs.arrays[{0, DescriptorField::Values}] = memory.take(arguments[0]->vals.data);
      continue;
    }
    const lacuna_level& l = arguments[0]->levels[slot.level];
    if (slot.field == DescriptorField::Positions) outputs.positions[slot.level] = l.positions;
    else
      outputs.arrays[{slot.level, slot.field}] = memory.take(slot.field == DescriptorField::Pos   ? l.pos.data
                                                             : slot.field == DescriptorField::Crd ? l.crd.data
                                                                                                  : l.present.data);
  }
}

}  // namespace

Storage run_plan(const Plan& plan, const CheckedRequest& checked, const std::map<std::string, Storage>& operands,
                 const Options& options, Report& report) {
  Clock::time_point start = Clock::now();
  const std::vector<Storage> gathered = gather(plan, checked, operands, options.target.threads);
  const concrete::Program& program = plan.scheduled.program;
  const Storage* pattern = nullptr;
  std::size_t argument = 0;
  for (const concrete::Tensor& t : program.tensors) {
    if (t.role != concrete::Role::Operand) continue;
    if (program.assembly == concrete::Assembly::SharedPattern && t.var.name() == program.pattern_operand)
      pattern = &gathered[argument];
    ++argument;
  }
  Storage result = result_before(program, checked.result_dimensions, pattern);
  report.prepare_ms = since(start);

  start = Clock::now();
  KernelOutputs outputs;
  if (plan.interpret) interpret_kernel(plan, result, gathered, options, outputs, report);
  else call_kernel(plan, result, gathered, options, outputs);
  report.kernel_ms = since(start);

  start = Clock::now();
  result = result_after(plan, checked, std::move(result), outputs, options.target.threads);
  report.finish_ms = since(start);
  report.notes = program.notes;
  return result;
}

}  // namespace lacuna

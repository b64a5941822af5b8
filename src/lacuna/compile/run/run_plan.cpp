#include "lacuna/compile/run/run_plan.h"

#include <cstring>

#include "lacuna/compile/run/bindings.h"
#include "lacuna/compile/run/operands.h"
#include "lacuna/compile/run/result.h"
#include "lacuna/compile/run/run_on_device.h"
#include "lacuna/loop/layout.h"
#include "lacuna/runtime/kernel_memory.h"
#include "lacuna/support/check.h"
#include "lacuna/support/stopwatch.h"

namespace lacuna {
namespace {

/// Runs the kernel in the checking interpreter; what it hands back goes where the C kernel would put it.
void interpret_kernel(const Plan& plan, std::span<const Storage> results, const std::vector<Storage>& operands,
                      const Options& options, FewOrMany<KernelOutputs, 1>& outputs, Report* report) {
  const std::vector<loop::Binding> bindings = bindings_of(plan, results, operands, options.target.threads);
  loop::Interpretation ran = loop::interpret(plan.lowered.module, bindings, options.interpret);
  if (report != nullptr) report->counters = ran.counters;
  hand_over(
      plan, ran, [](std::size_t, loop::Output& out) { return std::move(out.data); }, outputs);
}

void* data_of(const lacuna_tensor& t, const Slot& slot) {
  if (slot.field == DescriptorField::Values) return t.vals.data;
  const lacuna_level& level = t.levels[slot.level];
  switch (slot.field) {
    case DescriptorField::Pos: return level.pos.data;
    case DescriptorField::Crd: return level.crd.data;
    case DescriptorField::Nodes: return level.nodes[slot.array].data;
    default: return level.present.data;
  }
}

void call_kernel(const Plan& plan, std::span<const Storage> results, const GatheredOperands& operands,
                 const Options& options, FewOrMany<KernelOutputs, 1>& outputs, KeptMemory* kept) {
  FewOrMany<std::optional<Descriptor>, 1> described(results.size());
  FewOrMany<Descriptor*, 1> descriptors(results.size());
  for (std::size_t n = 0; n < results.size(); ++n) descriptors[n] = &described[n].emplace(results[n]);
  const GatheredOperands::Arguments arguments = operands.arguments({descriptors.data(), results.size()});
  KernelMemory memory(kept);
  lacuna_context context = memory.context(options.target.threads);
  const std::int32_t status = plan.kernel.entry()(&context, const_cast<lacuna_tensor**>(arguments.data()));
  if (status == LACUNA_OUT_OF_MEMORY)
    throw RuntimeFailure("out of memory while computing " + plan.scheduled.program.text);
  internal_check(status == LACUNA_OK, "the kernel returned status {}", status);
  for (std::size_t k = 0; k < plan.lowered.slots.size(); ++k) {
    if (!plan.lowered.module.parameters[k].out) continue;
    const Slot& slot = plan.lowered.slots[k];
    const auto n = static_cast<std::size_t>(slot.argument);
    if (slot.field == DescriptorField::Positions)
      outputs[n].counts->push_back({slot.level, arguments[n]->levels[slot.level].positions});
    else outputs[n].arrays->push_back({slot.level, slot.field, slot.array, memory.take(data_of(*arguments[n], slot))});
  }
}

/// Memory that a kernel is to fill holds anything: in the checking interpreter, what shows where it does not.
void spoil_values(const concrete::Tensor& made, Storage& result) {
  if (made.assembly != concrete::Assembly::Random || result.values.empty()) return;
  std::memset(result.values.mutable_data(), 0x5a, static_cast<std::size_t>(result.values.bytes()));
}

}  // namespace

void run_plan(const Plan& plan, const CheckedRequest& checked, const GatheredOperands& operands, const Options& options,
              Report* report, std::span<Storage> results, KeptMemory* kept) {
  Stopwatch watch(report != nullptr);
  double ms = 0;
  const auto made = plan.scheduled.program.results();
  internal_check(results.size() == made.size(), "{} results for {} statements", results.size(), made.size());
  for (std::size_t n = 0; n < made.size(); ++n)
    prepare_result(made[n], checked.statement(n).result_dimensions, operands.pattern(n), options.target.threads,
                   results[n], plan.interpret ? nullptr : kept);
  for (Storage& each : results) {  // written where they are
    each.values.forget_beside();
    for (LevelStorage& level : each.levels) level.present.forget_beside();
  }
  if (plan.interpret)
    for (std::size_t n = 0; n < made.size(); ++n) spoil_values(made[n], results[n]);
  watch.step(ms);
  if (report != nullptr) report->prepare_ms += ms;

  FewOrMany<KernelOutputs, 1> outputs(made.size());
  if (options.target.device && !plan.on_device && !plan.interpret)
    user_error("no device was chosen to run {}: open one, and give it to the target", plan.scheduled.program.text);
  if (plan.on_device) run_on_device(plan, results, operands.storages(), options, outputs, report);
  else if (plan.interpret) interpret_kernel(plan, results, operands.storages(), options, outputs, report);
  else call_kernel(plan, results, operands, options, outputs, kept);
  watch.step(ms);
  if (report != nullptr && !plan.on_device) report->kernel_ms = ms;

  for (std::size_t n = 0; n < made.size(); ++n)
    finish_result(plan, n, checked.statement(n), outputs[n], options.target.threads, results[n], kept);
  if (kept != nullptr) kept->free_lent();
  watch.step(ms);
  if (report != nullptr) report->finish_ms = ms + (plan.on_device ? report->finish_ms : 0);
}

std::vector<Storage> run_plan(const Plan& plan, const CheckedRequest& checked,
                              const std::map<std::string, Storage>& operands, const Options& options, Report& report) {
  Stopwatch watch(true);
  report.prepare_ms = 0;
  const GatheredOperands gathered(plan, checked, operands, options.target.threads);
  watch.step(report.prepare_ms);
  report.notes = plan.scheduled.program.notes;
  std::vector<Storage> results(checked.statements());
  run_plan(plan, checked, gathered, options, &report, results);
  return results;
}

}  // namespace lacuna

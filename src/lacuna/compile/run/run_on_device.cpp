#include "lacuna/compile/run/run_on_device.h"

#include "lacuna/compile/run/bindings.h"
#include "lacuna/device/device_run.h"
#include "lacuna/loop/layout.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

class RunOnDevice {
 public:
  RunOnDevice(const Plan& plan, std::vector<loop::Binding> here)
      : plan_(plan), run_(*plan.on_device->device, *plan.on_device->program), here_(std::move(here)), there_(here_) {}

  /// Memory that is bound goes to the device.
  void send() {
    for (std::size_t k = 0; k < there_.size(); ++k) {
      if (there_[k].data == nullptr) continue;
      there_[k].data = memory_of(bytes_of(k));
      plan_.on_device->device->write(there_[k].data, here_[k].data, bytes_of(k));
    }
  }

  loop::Interpretation run(const loop::InterpretOptions& options) {
    return plan_.on_device->host->run(there_, options, &run_);
  }

  /// What the kernel stored in memory that was bound comes back.
  void fetch_stored() {
    for (std::size_t k = 0; k < there_.size(); ++k)
      if (there_[k].data != nullptr && parameter(k).written && !parameter(k).out)
        fetch(there_[k].data, k, here_[k].data, here_[k].count);
  }

  /// What the kernel allocated, if anything, comes back.
  OwnedMemory fetched(std::size_t k, const loop::Output& out) {
    if (out.on_device == nullptr) return nullptr;
    const std::int64_t bytes = out.count * element_bytes(k);
    OwnedMemory memory(allocate_unzeroed(static_cast<std::size_t>(bytes) + 1));
    if (memory.get() == nullptr) throw RuntimeFailure("out of memory while fetching a result from the device");
    fetch(out.on_device, k, memory.get(), out.count);
    return memory;
  }

 private:
  const loop::Parameter& parameter(std::size_t k) const { return plan_.lowered.module.parameters[k]; }
  std::int64_t element_bytes(std::size_t k) const { return loop::element_size(parameter(k).var.type()); }
  std::int64_t bytes_of(std::size_t k) const { return here_[k].count * element_bytes(k); }

  void* memory_of(std::int64_t bytes) {
    void* memory = run_.allocate(bytes, false);
    if (memory == nullptr)
      throw RuntimeFailure(fmt::format("{} has no memory for {} bytes of the operands of {}",
                                       plan_.on_device->device->name(), bytes, plan_.scheduled.program.text));
    return memory;
  }
  void fetch(const void* from, std::size_t k, void* to, std::int64_t count) {
    plan_.on_device->device->read(from, 0, to, count * element_bytes(k));
  }

  const Plan& plan_;
  DeviceRun run_;
  std::vector<loop::Binding> here_, there_;
};

}  // namespace

void run_on_device(const Plan& plan, std::span<Storage> results, const std::vector<Storage>& operands,
                   const Options& options, FewOrMany<KernelOutputs, 1>& outputs) {
  RunOnDevice run(plan, bindings_of(plan, results, operands, options.target.threads));
  run.send();
  loop::InterpretOptions host = options.interpret;
  host.max_bytes = std::numeric_limits<std::int64_t>::max();  // the device says what it has room for
  loop::Interpretation ran = run.run(host);
  run.fetch_stored();
  hand_over(
      plan, ran, [&](std::size_t k, const loop::Output& out) { return run.fetched(k, out); }, outputs);
}

}  // namespace lacuna

#include "lacuna/compile/run/run_on_device.h"

#include <fmt/core.h>

#include "lacuna/compile/run/bindings.h"
#include "lacuna/device/device_copy.h"
#include "lacuna/device/device_run.h"
#include "lacuna/loop/layout.h"
#include "lacuna/support/error.h"
#include "lacuna/support/stopwatch.h"

namespace lacuna {
namespace {

class RunOnDevice {
 public:
  RunOnDevice(const Plan& plan, std::span<Storage> results, const std::vector<Storage>& operands, int threads)
      : plan_(plan),
        results_(results),
        operands_(operands),
        run_(device(), *plan.on_device->program),
        here_(bindings_of(plan, results, operands, threads)),
        there_(here_) {}

  /// Memory that is bound goes to the device, unless it is there.
  void send() {
    for (std::size_t k = 0; k < there_.size(); ++k) {
      if (there_[k].data == nullptr) continue;
      const Array* array = operand_array(plan_, k, results_.size(), operands_);
      const bool is_result = static_cast<std::size_t>(plan_.lowered.slots[k].argument) < results_.size();
      // The kernel stores all of its results.
      if (is_result) there_[k].data = memory_of(bytes_of(k));
      else there_[k].data = array != nullptr ? copy_of(*array, k) : sent(k);
    }
  }

  loop::Interpretation run(const loop::InterpretOptions& options) {
    return plan_.on_device->host->run(there_, options, &run_);
  }

  /// What the kernel stored in memory that was bound comes back. Values stay there, too, for those who use them next.
  void fetch_stored() {
    for (std::size_t k = 0; k < there_.size(); ++k) {
      if (there_[k].data == nullptr || !parameter(k).written || parameter(k).out) continue;
      fetch(there_[k].data, k, here_[k].data, here_[k].count);
      const Slot& slot = plan_.lowered.slots[k];
      const auto result = static_cast<std::size_t>(slot.argument);
      if (slot.field != DescriptorField::Values || result >= results_.size()) continue;
      run_.hand_over(there_[k].data);
      keep(std::make_shared<DeviceCopy>(plan_.on_device->device, there_[k].data, bytes_of(k)), results_[result].values);
    }
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
  Device& device() const { return *plan_.on_device->device; }
  const loop::Parameter& parameter(std::size_t k) const { return plan_.lowered.module.parameters[k]; }
  std::int64_t element_bytes(std::size_t k) const { return loop::element_size(parameter(k).var.type()); }
  std::int64_t bytes_of(std::size_t k) const { return here_[k].count * element_bytes(k); }

  /// The copy that is there of an operand's array, or a new one, which stays.
  void* copy_of(const Array& array, std::size_t k) {
    auto copy = std::static_pointer_cast<DeviceCopy>(array.kept_beside());
    if (copy == nullptr || !copy->is_on(device()) || copy->bytes() != bytes_of(k)) {
      void* memory = sent(k);
      run_.hand_over(memory);
      copy = std::make_shared<DeviceCopy>(plan_.on_device->device, memory, bytes_of(k));
      keep(copy, array);
    }
    used_.push_back(copy);
    return copy->memory();
  }
  void keep(const std::shared_ptr<DeviceCopy>& copy, const Array& array) {
    array.keep_beside(copy);
    device().note_copy(copy);
  }
  void* sent(std::size_t k) {
    void* memory = memory_of(bytes_of(k));
    device().write(memory, here_[k].data, bytes_of(k));
    return memory;
  }
  void* memory_of(std::int64_t bytes) {
    void* memory = run_.allocate(bytes, false);
    if (memory == nullptr)
      throw RuntimeFailure(fmt::format("{} has no memory for {} bytes of the operands of {}", device().name(), bytes,
                                       plan_.scheduled.program.text));
    return memory;
  }
  void fetch(const void* from, std::size_t k, void* to, std::int64_t count) {
    device().read(from, 0, to, count * element_bytes(k));
  }

  const Plan& plan_;
  std::span<Storage> results_;
  const std::vector<Storage>& operands_;
  std::vector<std::shared_ptr<DeviceCopy>> used_;
  DeviceRun run_;
  std::vector<loop::Binding> here_, there_;
};

}  // namespace

void run_on_device(const Plan& plan, std::span<Storage> results, const std::vector<Storage>& operands,
                   const Options& options, FewOrMany<KernelOutputs, 1>& outputs, Report* report) {
  Stopwatch watch(report != nullptr);
  double ms = 0;
  const auto measured = [&] {
    if (report == nullptr) return 0.0;
    plan.on_device->device->wait();
    watch.step(ms);
    return ms;
  };
  RunOnDevice run(plan, results, operands, options.target.threads);
  run.send();
  const double sent = measured();
  loop::InterpretOptions host = options.interpret;
  host.max_bytes = std::numeric_limits<std::int64_t>::max();  // the device says what it has room for
  loop::Interpretation ran = run.run(host);
  const double done = measured();
  run.fetch_stored();
  hand_over(
      plan, ran, [&](std::size_t k, const loop::Output& out) { return run.fetched(k, out); }, outputs);
  if (report == nullptr) return;
  report->prepare_ms += sent;
  report->kernel_ms = done;
  report->finish_ms = measured();
}

}  // namespace lacuna

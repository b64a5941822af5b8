#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "lacuna/device/device.h"

namespace lacuna {

/// A copy of some host memory on a device, which stays there for the next run. The device may take its memory back for
/// other things while nobody uses it.
class DeviceCopy {
 public:
  /// Takes over `memory` of the device.
  DeviceCopy(std::shared_ptr<Device> device, void* memory, std::int64_t bytes)
      : device_(std::move(device)), memory_(memory), bytes_(bytes) {}
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;
  ~DeviceCopy() { drop(); }

  bool is_on(const Device& device) const { return memory_ != nullptr && device_.get() == &device; }
  void* memory() const { return memory_; }
  std::int64_t bytes() const { return bytes_; }
  void drop() {
    if (void* memory = memory_.exchange(nullptr)) device_->release(memory);
  }

 private:
  std::shared_ptr<Device> device_;
  std::atomic<void*> memory_;
  std::int64_t bytes_;
};

}  // namespace lacuna

#pragma once

#include <set>

#include "lacuna/device/device.h"
#include "lacuna/loop/interpret.h"

namespace lacuna {

/// One run of a host program on a device. Frees what the program leaves behind, unless it is handed over.
class DeviceRun : public loop::LaunchTarget {
 public:
  DeviceRun(Device& device, DeviceProgram& program) : device_(device), program_(program) {}
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;
  ~DeviceRun() override;

  void* allocate(std::int64_t bytes, bool zeroed) override;
  void release(void* memory) override;
  void* resize(void* memory, std::int64_t old_bytes, std::int64_t bytes) override;
  void launch(const loop::Launch& launch, std::int64_t blocks, const std::vector<loop::Binding>& captured) override;
  void read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) override;
  /// Gives up memory that it allocated, to somebody who releases it.
  void hand_over(void* memory) { live_.erase(memory); }

 private:
  Device& device_;
  DeviceProgram& program_;
  std::set<void*> live_;
};

}  // namespace lacuna

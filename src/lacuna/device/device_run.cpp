#include "lacuna/device/device_run.h"

#include <algorithm>

namespace lacuna {

DeviceRun::~DeviceRun() {
  for (void* each : live_) device_.release(each);
}

void* DeviceRun::allocate(std::int64_t bytes, bool zeroed) {
  void* memory = device_.allocate(bytes, zeroed);
  if (memory == nullptr && device_.drop_idle_copies()) memory = device_.allocate(bytes, zeroed);
  if (memory != nullptr) live_.insert(memory);
  return memory;
}

void DeviceRun::release(void* memory) {
  if (live_.erase(memory) > 0) device_.release(memory);
}

void* DeviceRun::resize(void* memory, std::int64_t old_bytes, std::int64_t bytes) {
  void* moved = allocate(bytes, false);
  if (moved == nullptr) return nullptr;
  device_.copy(memory, moved, std::min(old_bytes, bytes));
  release(memory);
  return moved;
}

void DeviceRun::launch(const loop::Launch& launch, std::int64_t blocks, const std::vector<loop::Binding>& captured) {
  std::vector<DeviceArgument> arguments;
  for (std::size_t k = 0; k < captured.size(); ++k) {
    const bool is_memory = launch.captured[k].type().is_memory();
    arguments.push_back({is_memory, captured[k].data, captured[k].scalar});
  }
  device_.launch(program_, launch.name, blocks, launch.threads, arguments);
}

void DeviceRun::read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) {
  device_.read(memory, offset, to, bytes);
}

}  // namespace lacuna

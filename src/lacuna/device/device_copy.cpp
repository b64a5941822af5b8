#include "lacuna/device/device_copy.h"

#include <algorithm>

namespace lacuna {

std::int64_t Device::next_number() {
  static std::atomic<std::int64_t> opened{0};
  return ++opened;
}

void Device::note_copy(std::weak_ptr<DeviceCopy> copy) {
  std::erase_if(copies_, [](const auto& each) { return each.expired(); });
  copies_.push_back(std::move(copy));
}

bool Device::drop_idle_copies() {
  bool dropped = false;
  for (const std::weak_ptr<DeviceCopy>& each : copies_) {
    constexpr long tensor_and_this = 2;
    const std::shared_ptr<DeviceCopy> copy = each.lock();
    if (copy == nullptr || copy.use_count() > tensor_and_this) continue;
    dropped = dropped || copy->memory() != nullptr;
    copy->drop();
  }
  return dropped;
}

}  // namespace lacuna

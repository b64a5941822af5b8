#include <algorithm>
#include <numeric>

#include "lacuna/device/device.h"

namespace lacuna {

std::vector<std::shared_ptr<Device>> open_devices(DeviceLanguage language, const std::vector<std::int64_t>& memories,
                                                  const CudaLibraries& libraries) {
  const bool is_cuda = language == DeviceLanguage::Cuda;
  // At least one, whose opening says what is missing.
  const int count = std::max(1, is_cuda ? count_cuda(libraries) : count_opencl());
  std::vector<std::shared_ptr<Device>> devices(static_cast<std::size_t>(count));
  std::vector<std::int64_t> wanted = memories;
  if (wanted.empty()) {
    wanted.resize(devices.size());
    std::iota(wanted.begin(), wanted.end(), 0);
  }
  for (const std::int64_t memory : wanted) {
    const auto number = static_cast<int>(memory % count);
    std::shared_ptr<Device>& device = devices[static_cast<std::size_t>(number)];
    if (device == nullptr) device = is_cuda ? open_cuda(number, libraries) : open_opencl(number);
  }
  return devices;
}

}  // namespace lacuna

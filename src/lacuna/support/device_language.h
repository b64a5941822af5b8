#pragma once

#include <cstdint>
#include <string_view>

namespace lacuna {

/// What programs for a device are written in.
enum class DeviceLanguage : std::uint8_t { OpenCl, Cuda };

constexpr std::string_view name_of(DeviceLanguage language) {
  return language == DeviceLanguage::Cuda ? "CUDA" : "OpenCL";
}

}  // namespace lacuna

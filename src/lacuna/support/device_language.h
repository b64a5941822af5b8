#pragma once

#include <cstdint>

namespace lacuna {

/// What programs for a device are written in.
enum class DeviceLanguage : std::uint8_t { OpenCl, Cuda };

}  // namespace lacuna

#pragma once

#include <gtest/gtest.h>

#include "lacuna/device/device.h"
#include "lacuna/support/error.h"

namespace lacuna {

/// The first device of OpenCL; null, with the reason, where there is none: then tests skip.
inline std::shared_ptr<Device> some_device(std::string* reason = nullptr) {
  try {
    return open_opencl();
  } catch (const RuntimeFailure& failure) {
    if (reason != nullptr) *reason = failure.what();
    return nullptr;
  }
}

}  // namespace lacuna

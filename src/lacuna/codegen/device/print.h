#pragma once

#include <string>

#include "lacuna/loop/ir.h"
#include "lacuna/support/device_language.h"

namespace lacuna {

struct DeviceSource {
  std::string code;     // the whole translation unit, for a compiler of the language
  std::string kernels;  // only the functions that are launched, for people (`lacuna show --stage device`)
};

/// Prints what the launches of a verified module run, as OpenCL C 1.2 or CUDA C++: a function for each, with the
/// captured variables as its parameters, in their order. Throws Error for what devices do not have yet:
/// transcendental functions of complex numbers, and atomic updates of less than four bytes.
DeviceSource print_for_device(const loop::Module& module, DeviceLanguage language);

}  // namespace lacuna

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/loop/ir.h"

namespace lacuna::fuzz {

/// One mistake that could be made in the kernels of updates, made on purpose.
struct UpdateFault {
  std::string name;
  /// Changes a kernel wherever the mistake would show; says whether it did.
  std::function<bool(loop::Module&)> plant;
};

std::vector<UpdateFault> update_faults();

}  // namespace lacuna::fuzz

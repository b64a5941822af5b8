#pragma once

#include <string>

#include "golden/kernels.h"
#include "lacuna/compile/plan/plan.h"

namespace lacuna::golden {

/// How a result of the kernel's plan differs from what its statement gives; nothing when none does.
std::string wrong_result(const Kernel& kernel, const Plan& plan);

}  // namespace lacuna::golden

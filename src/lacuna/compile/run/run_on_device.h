#pragma once

#include <span>
#include <vector>

#include "lacuna/compile/plan/report.h"
#include "lacuna/compile/run/result.h"
#include "lacuna/support/few_or_many.h"

namespace lacuna {

/// Runs a plan on its device: copies operands there, runs the host's program, and copies results back. These three are
/// what the report calls prepare, kernel and finish; null: nobody measures. Throws RuntimeFailure where the device has
/// no memory for it.
void run_on_device(const Plan& plan, std::span<Storage> results, const std::vector<Storage>& operands,
                   const Options& options, FewOrMany<KernelOutputs, 1>& outputs, Report* report);

}  // namespace lacuna

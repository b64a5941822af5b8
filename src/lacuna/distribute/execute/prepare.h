#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/distribute/execute/distributed_tensor.h"
#include "lacuna/distribute/execute/execute.h"

namespace lacuna {

/// A request with its tensors where they belong and its plan.
struct PreparedLaunch {
  std::vector<DistributedTensor> operands;  // as of LaunchPlan::launch.operands; equal tensors twice
  LaunchPlan plan;
  Format result_format;              // as asked for, or inferred
  Type result_type = Type::Float64;  // likewise
  Type sum_type = Type::Float64;     // in which contributions are computed and added up
};

/// Throws Error for a user's mistake.
PreparedLaunch prepare_launch(const DistributedRequest& request);

}  // namespace lacuna

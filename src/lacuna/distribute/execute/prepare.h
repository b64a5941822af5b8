#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/distribute/execute/distributed_tensor.h"
#include "lacuna/distribute/execute/execute.h"
#include "lacuna/distribute/plan/reduction.h"

namespace lacuna {

/// A request with its tensors where they belong and its plan.
struct PreparedLaunch {
  std::map<std::string, DistributedTensor> tensors;  // by name: a tensor that is used twice lies there once
  LaunchPlan plan;
  ReductionPlan reduction;
  Format result_format;              // as asked for, or inferred
  Type result_type = Type::Float64;  // likewise
  Type sum_type = Type::Float64;     // in which contributions are computed and added up

  /// How the result is stored while it is computed: what nodes would hold, in arrays.
  Format local_format() const;
  /// The tensor of an operand of the launch.
  const DistributedTensor& tensor(std::size_t operand) const {
    return tensors.at(plan.launch.operands[operand].tensor);
  }
};

/// With the parts of this rank. Throws Error for a user's mistake.
PreparedLaunch prepare_launch(const DistributedRequest& request, const Communicator& ranks);

/// The format of the result: what is asked for, or inferred.
Format result_format_of(const Request& request);

/// What has to be the same on every rank that runs a request, item by item.
std::vector<std::string> fingerprint(const DistributedRequest& request);

}  // namespace lacuna

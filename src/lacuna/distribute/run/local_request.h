#pragma once

#include <functional>

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// Gives the part of an operand that lies in a region.
using OperandPart = std::function<Storage(std::size_t operand, const std::vector<IndexSet>& region)>;

/// What a task computes in a step, in which it contributes, over parts whose coordinates count from 0.
Request local_request(const PreparedLaunch& prepared, const Task& task, const LaunchStep& step,
                      const OperandPart& operand);

/// Throws Error where what is left of the schedule cannot be applied to what the tasks of this rank compute: before
/// anything moves.
void check_local_schedule(Engine& engine, const PreparedLaunch& prepared, const Communicator& ranks,
                          const Options& options);

}  // namespace lacuna

#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// Where a result lies that keeps the partition of an operand by what that stores (`~`), and who computes it.
struct KeptPartition {
  TensorPlacement placement;
  std::vector<std::size_t> tasks;  // by part: the task that computes all of it
};

/// Where both store the same entries, at least in the levels that the result has, and each task computes the entries of
/// one part (SpDISTAL, section IV-B: the partition of an output is derived from that of an operand). None where that is
/// not so. After plan.tasks are known.
std::optional<KeptPartition> kept_partition(const PreparedLaunch& launch);

}  // namespace lacuna

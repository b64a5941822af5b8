#pragma once

#include <string>
#include <vector>

#include "lacuna/distribute/run/execute.h"

namespace lacuna {

/// What some processors compute, as a statement on one: over the parts of the first of them, whose coordinates count
/// from 0.
struct LocalProgram {
  std::string processors;  // for people: "(0,0)", or "(0,0) and 3 others"
  Request request;
};

/// The statements that the processors of a machine compute: one, unless some terms count for some processors only.
/// Dense parts have no values, so that this is for looking at, not for running. Throws Error for a user's mistake.
std::vector<LocalProgram> local_programs(const DistributedRequest& request);

}  // namespace lacuna

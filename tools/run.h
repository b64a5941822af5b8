#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/tensor/storage.h"
#include "tools/outputs.h"
#include "tools/problem.h"
#include "tools/reporting.h"

namespace lacuna::tool {

/// What `lacuna run` is asked for.
struct RunArguments {
  StatementArguments statement;
  std::vector<std::string> outputs;
  int runs = 0;
  bool verify = false;
  bool interpret = false;
  Reporting reporting;
};

/// How many entries are shown of a result that is written to no file.
constexpr int shown_entries = 5;

double milliseconds_since(std::chrono::steady_clock::time_point start);

/// Runs a statement on the machine of a problem, whose processors these ranks play. The result stays in parts unless it
/// is written or verified; rank 0 does that, and prints. Collective.
int run_on_machine(const RunArguments& arguments, const Problem& problem, const Files& files, Communicator& ranks);

}  // namespace lacuna::tool

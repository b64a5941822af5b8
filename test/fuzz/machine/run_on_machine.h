#pragma once

#include <optional>
#include <string>

#include "fuzz/statement/problem.h"
#include "lacuna/distribute/run/execute.h"

namespace lacuna::fuzz {

/// The machine of a problem; none where its schedule alone says how many processors there are.
std::optional<Machine> machine_of(const Problem& problem);

/// The request of a problem on its machine. Throws Error for distributions that the notation does not have.
DistributedRequest on_machine(const Problem& problem, Request request);

/// How what the simulator counts differs from what a run counted; none where it does not.
std::optional<std::string> simulated_otherwise(const DistributedRequest& request, const DistributedReport& report);

/// What runs on machines did, all together: that they are worth something.
struct MachineCounts {
  std::int64_t runs = 0, several_tasks = 0, several_steps = 0, fetched = 0, reduced = 0;
  void note(const DistributedReport& report);
  std::string to_string() const;
};

}  // namespace lacuna::fuzz

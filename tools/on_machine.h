#pragma once

#include <string>
#include <vector>

#include "lacuna/distribute/run/execute.h"
#include "tools/problem.h"

namespace lacuna::tool {

/// Leaves --machine and --place out of the help of a command that has no use for them.
void hide_machine(CLI::App& command);
/// What `understand` makes of arguments, for such a command. Throws Error where there is a machine.
Problem understand_on_one(const StatementArguments& arguments, const std::string& command);

/// The request as several processors compute it.
DistributedRequest on_machine(const Problem& problem, Request request);
/// The same for ranks: where there is no machine, and no loop is distributed, each is a processor.
DistributedRequest on_machine(const Problem& problem, Request request, const Communicator& ranks);

/// A tensor that lies in parts, as `describe` and `sample` tell of one in one piece; the same on every rank. `sample`
/// has the first of the first entries of the parts, in the order of the levels. Collective.
std::string describe(const std::string& name, const DistributedTensor& tensor, Communicator& ranks);
/// What its parts take in all, each counted once. Collective.
std::int64_t bytes_of(const DistributedTensor& tensor, Communicator& ranks);
std::string sample(const std::string& name, const DistributedTensor& tensor, int count, Communicator& ranks);

/// In one piece, on rank 0. Collective.
Storage whole_of(const DistributedTensor& tensor, Engine& engine, Communicator& ranks);
/// A line for each operand; of what is held by parts, in all. Collective.
std::vector<std::string> describe_operands(const DistributedRequest& request, const std::string& result,
                                           Communicator& ranks);

/// What moved between processors, and how often.
void print_traffic(const DistributedReport& report, const Communicator& ranks);

}  // namespace lacuna::tool

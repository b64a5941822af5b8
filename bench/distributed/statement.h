#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/contest/contestant.h"
#include "bench/distributed/ranks.h"
#include "lacuna/distribute/run/prepared_on_machine.h"

namespace lacuna::contest {

/// The tensor by parts, where a distribution such as "xy -> x" puts them: what a program has that read or computed it
/// so. No rank keeps the whole. Collective.
DistributedTensorPtr by_parts(const Storage& tensor, const std::string& distribution, const Machine& machine,
                              const std::string& name, Ranks& ranks);

/// A statement on a machine, where its tensors lie, by name. Operands come as they are held.
struct StatementOnMachine {
  std::string statement;
  Machine machine;
  std::string schedule;
  Format result_format;
  std::map<std::string, std::string> placed;
  /// By turns of runs: the first of each in the first run, and so on; as in an iteration, where a vector changes.
  std::map<std::string, std::vector<DistributedTensorPtr>> operands;

  /// What the n-th run asks for.
  DistributedRequest request(std::size_t n) const;
};

/// Lacuna on the ranks, each with one thread: prepared once, and run again and again.
Contestant lacuna_on_ranks(const std::string& name, Engine& engine, const StatementOnMachine& statement, Ranks& ranks);

}  // namespace lacuna::contest

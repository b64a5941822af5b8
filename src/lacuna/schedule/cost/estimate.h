#pragma once

#include <map>
#include <vector>

#include "lacuna/iteration/nest.h"
#include "lacuna/schedule/cost/counts.h"
#include "lacuna/schedule/cost/ledger.h"

namespace lacuna::cost {

/// What one loop is expected to do over the whole run of the kernel.
struct LoopEstimate {
  double starts = 0;      // how often the loop is come to
  double trips = 0;       // its turns, all starts together
  double executions = 0;  // turns in which its body does something
  Work work;              // done by the loop itself, not by those inside it
};

/// What a kernel is expected to do: reads and writes as they stand in its loops, whatever caches make of them.
struct Estimate {
  std::vector<LoopEstimate> loops;  // by number in the nest
  Work outside;                     // before and after the loops
  Work total;
  std::map<ArrayKey, ArrayTraffic> arrays;
  std::map<TensorVar, double> filled;  // of temporaries: the share of their coordinates that is touched each time
  double result_entries = 0;           // stored values of the result
  double result_bytes = 0;             // of all of its arrays, as they are handed to the user
  /// Bytes of each operand that are needed at all: of its arrays what lies under the parents that loops come to.
  std::map<std::string, double> needed;

  /// Bytes that any kernel for the statement must move: what it needs of the operands, and the result, once.
  double compulsory_bytes() const;
};

/// Expects the entries of operands to be spread evenly and independently of one another. For dense operands the numbers
/// are those that the checking interpreter counts.
Estimate estimate(const concrete::Program& program, const iteration::Nest& nest, const Counts& counts);

}  // namespace lacuna::cost

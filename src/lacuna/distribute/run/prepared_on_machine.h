#pragma once

#include <memory>

#include "lacuna/distribute/run/execute.h"

namespace lacuna {

/// A statement on a machine that is run again and again. The first run plans it, cuts up what is known in whole and
/// prepares the kernels. A run of the same statement on tensors of the same patterns, with other values or not, does
/// none of that: it uses the plan and the kernels, and sends nothing that lies where it is needed and did not change.
/// Any other request is planned anew. Keeps its operands as long as it lives.
class PreparedOnMachine {
 public:
  PreparedOnMachine();
  ~PreparedOnMachine();
  PreparedOnMachine(PreparedOnMachine&&) noexcept;
  PreparedOnMachine& operator=(PreparedOnMachine&&) noexcept;

  /// As run_distributed. Collective.
  DistributedTensor run(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                        const Options& options = {}, DistributedReport* report = nullptr);
  /// The same, into what an earlier run made, whose memory is written over where nobody else holds it; it is no
  /// operand. Where the plan is kept and no report is asked for, dense tensors are all that is read and one process
  /// plays all processors, a run allocates nothing.
  void run_into(std::optional<DistributedTensor>& result, Engine& engine, const DistributedRequest& request,
                Communicator& ranks, const Options& options = {}, DistributedReport* report = nullptr);

  struct State;
  struct Agreed;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lacuna

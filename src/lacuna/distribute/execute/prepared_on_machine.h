#pragma once

#include <memory>

#include "lacuna/distribute/execute/execute.h"

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

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lacuna

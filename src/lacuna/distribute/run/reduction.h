#pragma once

#include <optional>

#include "lacuna/distribute/run/dense_reduction.h"
#include "lacuna/distribute/run/entry_reduction.h"

namespace lacuna {

/// Brings contributions to the processors that own the result, where they are added up in their order.
class Reduction {
 public:
  /// `prepared` outlives it; `again`: it will be run more than once.
  Reduction(const PreparedLaunch& prepared, bool again) : prepared_(prepared), again_(again) {}

  /// Begins a run. `mine`: what the steps complete; `old`: what the result held before, where it accumulates. `result`
  /// is written over: where it is what this made before, no memory is asked for but for values that somebody else
  /// holds. All of them stay until finish(). Collective, as what follows.
  void begin(const Contributions& mine, const DistributedTensor* old, Communicator& ranks,
             std::optional<DistributedTensor>& result);
  /// Begins to bring what this step, which is not the last, completed. No message is on its way, and what the call
  /// before began to bring has come.
  void reduce(std::size_t step);
  /// After the last step: brings the rest.
  void finish();
  /// What this rank counted.
  const Traffic& traffic() const { return dense_ ? dense_->traffic() : entries_->traffic(); }

 private:
  /// What one run reads and writes.
  struct Run {
    const Contributions* mine = nullptr;
    const DistributedTensor* old = nullptr;
    Communicator* ranks = nullptr;
    std::optional<DistributedTensor>* result = nullptr;
  };

  LocalPart old_values(std::size_t part) const;

  const PreparedLaunch& prepared_;
  bool again_;
  std::optional<DenseReduction> dense_;  // from the first run on, one of them
  std::optional<EntryReduction> entries_;
  Run run_;
};

}  // namespace lacuna

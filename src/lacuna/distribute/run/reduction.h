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

  /// `old`: what the result held before, where it accumulates. `result` is written over: where it is what this made
  /// before, no memory is asked for but for values that somebody else holds. Collective.
  void run(const Contributions& mine, const DistributedTensor* old, Communicator& ranks,
           std::optional<DistributedTensor>& result);
  /// What this rank counted.
  const Traffic& traffic() const { return dense_ ? dense_->traffic() : entries_->traffic(); }

 private:
  LocalPart old_values(const DistributedTensor& old, std::size_t part) const;

  const PreparedLaunch& prepared_;
  bool again_;
  std::optional<DenseReduction> dense_;  // from the first run on, one of them
  std::optional<EntryReduction> entries_;
};

}  // namespace lacuna

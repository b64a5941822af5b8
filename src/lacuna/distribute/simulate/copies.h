#pragma once

#include <cstdint>
#include <map>

#include "lacuna/distribute/execute/pieces.h"
#include "lacuna/distribute/execute/result_routes.h"
#include "lacuna/distribute/simulate/part_sizes.h"

namespace lacuna {

/// How often a message is copied before it is sent, and after it has come.
struct Copies {
  int before = 0, after = 0;
};

/// What is copied where a plan is run, beside what messages do by themselves, as those do it who run plans: dense
/// operands of plans of one step go from where they lie and to where they are used, if that is one stretch
/// (SettledLaunch); all else is packed, unpacked and joined (Executor).
class CopyCounter {
 public:
  CopyCounter(const PreparedLaunch& prepared, PartSizes& sizes) : prepared_(prepared), sizes_(sizes) {}

  /// Of what a transfer moves; `is_here`: the rank that gets it has it.
  Copies of(const Transfer& transfer, bool is_here);
  Copies of(const ResultRoute& route) const;
  /// Bytes that a task copies on its own, where a run has new values: what it uses of its parts, if that is not all of
  /// them, and results of its pieces that are added up.
  std::int64_t within(std::size_t task);

 private:
  bool is_one_step() const { return prepared_.plan.steps.size() == 1; }
  const TaskPieces& pieces(std::size_t task);
  const std::vector<IndexSet>& part_of(const Transfer& transfer) const;
  Copies of_dense(const Transfer& transfer, bool is_here);

  const PreparedLaunch& prepared_;
  PartSizes& sizes_;
  std::map<std::size_t, TaskPieces> pieces_;  // by task
};

}  // namespace lacuna

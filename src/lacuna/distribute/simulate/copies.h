#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "lacuna/distribute/execute/part_pieces.h"
#include "lacuna/distribute/execute/pieces.h"
#include "lacuna/distribute/execute/result_routes.h"
#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/simulate/part_sizes.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna {

/// So many bytes that a task copies.
using OwnCopyHook = std::function<void(std::int64_t bytes, const Copies&)>;

/// What is copied where a plan is run, beside what messages do by themselves, as those do it who run plans: dense
/// operands go from where they lie and to where they are used, if that is one stretch (SettledLaunch, SteppedLaunch);
/// all else is packed, unpacked and joined (Executor).
class CopyCounter {
 public:
  /// `again`: a later run of a plan that is kept; `in_place`: as ranks run it.
  CopyCounter(const PreparedLaunch& prepared, PartSizes& sizes, bool again, const InPlace& in_place);

  /// Whether a rank reads what a transfer would bring where another one has it.
  bool is_read_in_place(const Transfer& transfer) {
    return is_one_step() &&
           reads_in_place(pieces(static_cast<std::size_t>(transfer.task)), static_cast<std::size_t>(transfer.operand));
  }

  /// Whether values of an operand that is not dense move alone where a plan is run again.
  bool moves_values(std::size_t operand) const {
    return is_one_step() || (is_stepped_ && prepared_.plan.is_fetched_once(prepared_.plan.launch.operands[operand]));
  }
  /// Of what a transfer moves in a step; `is_here`: the rank that gets it has it.
  Copies of(const Transfer& transfer, const LaunchStep& step, bool is_here);
  Copies of(const ResultRoute& route) const;
  /// Calls f with what a task copies in a step on its own, once for each in their order, where a run has new values:
  /// what it uses of its parts, if that is not all of them, and results of pieces and steps that are added up.
  void within(std::size_t task, const LaunchStep& step, const OwnCopyHook& f);

 private:
  bool is_one_step() const { return prepared_.plan.steps.size() == 1; }
  bool is_dense(std::size_t operand) const { return prepared_.tensor(operand).shape().format.is_dense(); }
  /// Whether what is used of a part is used where it lies.
  bool is_used_in_place(std::size_t operand, const std::vector<IndexSet>& part,
                        const std::vector<IndexSet>& used) const;
  Copies in_steps(const Transfer& transfer, const LaunchStep& step, bool is_here);
  void within_pieces(std::size_t task, const OwnCopyHook& f);
  const TaskPieces& pieces(std::size_t task);
  const std::vector<IndexSet>& part_of(const Transfer& transfer) const;
  Copies of_dense(const Transfer& transfer, bool is_here);
  Copies of_values(const Transfer& transfer, const LaunchStep& step, bool is_here);
  Copies of_values(std::size_t operand, const std::vector<IndexSet>& from, const std::vector<IndexSet>& what,
                   const std::vector<IndexSet>& to, bool is_here);
  Copies of_piece(const Transfer& transfer, bool is_here);
  double spread(std::size_t operand, const std::vector<IndexSet>& part, const std::vector<IndexSet>& region);

  const PreparedLaunch& prepared_;
  PartSizes& sizes_;
  InPlace in_place_;
  bool is_stepped_;                           // run by a SteppedLaunch
  std::map<std::size_t, TaskPieces> pieces_;  // by task
  std::map<std::size_t, PartPieces> taken_;   // by operand that moves from step to step
  std::set<std::size_t> begun_;               // contributions, which later steps are added to
};

}  // namespace lacuna

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lacuna/distribute/execute/cut_operand.h"
#include "lacuna/distribute/execute/dense_steps.h"
#include "lacuna/distribute/execute/entry_exchange.h"
#include "lacuna/distribute/execute/entry_steps.h"
#include "lacuna/distribute/execute/launch_runner.h"
#include "lacuna/distribute/execute/step_sum.h"

namespace lacuna {

/// What a rank does of a plan of several steps that is run again and again: operands move from step to step, in memory
/// that stays, if they are dense or come in parts or pieces of them (EntrySteps), others once a run. What is sent,
/// where it goes, and what of it each kernel reads is looked up in the first run.
class SteppedLaunch : public LaunchRunner {
 public:
  using LaunchRunner::LaunchRunner;

  /// Whether a plan has several steps, and what they compute can be added up (step_sum.h), and all that moves from step
  /// to step can do so in memory that stays. The same on all ranks.
  static bool can_run(const PreparedLaunch& prepared);
  void release() override {}

 private:
  /// What a kernel uses of a dense operand, if that is not all that the task has of it.
  struct Piece {
    DenseCopy copy;
    Storage storage;
  };
  /// A task in a step, its kernel and what that reads.
  struct Work {
    std::size_t task = 0;
    std::vector<std::vector<IndexSet>> used = {};  // by operand
    std::vector<IndexSet> computed = {};           // of the result
    std::size_t contribution = 0;
    bool is_first = false;  // to add to it in a run
    std::optional<Bound> kernel = {};
    std::map<std::size_t, DenseView> views = {};  // of dense operands: stretches of what the task has; or
    std::map<std::size_t, Piece> pieces = {};
    std::map<std::size_t, CutOperand> cuts = {};  // of others that changed since the first run
    // Of the result, as far as an operand has it that moves on: by array, empty for others; none before the first run.
    std::optional<std::vector<Array>> pattern = {};
  };

  void run_tasks() override;
  void look_up();
  void add_works(std::size_t step);
  bool is_dense(std::size_t operand) const;
  std::optional<std::int64_t> part_here(std::size_t operand, std::size_t task) const;
  void bring_entries();
  void begin(std::size_t step);
  void compute(std::size_t step, Work& work);
  void keep_pattern(Work& work, Storage& result) const;
  bool is_lent(const Array& array, std::size_t task) const;
  void prepare(std::size_t step, Work& work);
  Storage first_storage(std::size_t step, Work& work, std::size_t operand);
  const LocalPart& entries_of(std::size_t operand, std::size_t task) const;
  void refresh(std::size_t step, Work& work);
  void refresh_dense(std::size_t step, Work& work, std::size_t operand);
  void refresh_moving(std::size_t step, Work& work, std::size_t operand);
  void refresh_entries(Work& work, std::size_t operand);

  bool is_looked_up_ = false;
  std::vector<std::optional<DenseSteps>> dense_;                 // by operand
  std::vector<std::optional<EntrySteps>> moving_;                // likewise
  std::vector<std::optional<EntryExchange>> entries_;            // likewise
  std::vector<std::map<std::size_t, std::int64_t>> parts_here_;  // likewise: by task, the part that is used as it lies
  std::vector<std::vector<Work>> works_;                         // of this rank, by step
  std::map<std::size_t, std::unique_ptr<StepSum>> sums_;         // by contribution
};

}  // namespace lacuna

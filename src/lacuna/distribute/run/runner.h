#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/distribute/run/fetches.h"
#include "lacuna/distribute/run/result_routes.h"
#include "lacuna/distribute/run/step_sum.h"
#include "lacuna/distribute/run/used_part.h"
#include "lacuna/engine/engine.h"

namespace lacuna {

/// What a rank does of a plan: the tasks of its processors, step by step, once or again and again. In the first run it
/// looks up what is sent, where it goes, and what of it each kernel reads; a later run carries that out.
class Runner {
 public:
  /// `prepared` outlives it; its tensors may be others of the same patterns in the next run. `again`: there may be
  /// more than one run.
  Runner(const PreparedLaunch& prepared, Options options, bool again)
      : prepared_(prepared),
        options_(std::move(options)),
        again_(again),
        reduces_early_(prepared.reduction.ends_early(prepared.plan.steps.size())) {}
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// `changed`: by operand of the launch, whether it has other values than in the run before; the same on all ranks.
  /// What was fetched of the others, and lies where it is needed again, does not move. Where contributions are complete
  /// before the last step, `reduce` is called with each step but the last when the next one is about to be computed, on
  /// all ranks, and no message is on its way then; in the next call, those of the call before need not stay any more.
  /// Collective.
  void run(Engine& engine, Communicator& ranks, const std::vector<bool>& changed,
           const std::function<void(std::size_t step)>& reduce);
  /// What the tasks of this rank computed, as far as it is complete and was not reduced two steps ago. Until the next
  /// run.
  const Contributions& contributions() const { return contributions_; }

  /// Of the last run, on this rank.
  const Traffic& fetches() const { return traffic_; }
  std::int64_t kernels_prepared() const { return kernels_prepared_; }

 private:
  /// An operand of a kernel.
  struct Operand {
    Fetches::Source source;
    UsedPart used;
  };
  /// A piece of a task in a step, its kernel and what that reads.
  struct Work {
    std::size_t task;
    Piece* piece;
    std::vector<Operand> operands = {};
    std::vector<IndexSet> computed = {};  // of the result
    std::size_t contribution = 0;         // to which it is added,
    StepSum* sum = nullptr;               // here,
    std::size_t share = 0;                // as this share
    bool waits = false;                   // for what other ranks send
    std::optional<Bound> kernel = {};     // once it was run
    // Of the result, as far as an operand has it that moves on: by array, empty for others; none before the first run.
    std::optional<std::vector<Array>> pattern = {};
  };

  const LaunchPlan& plan() const { return prepared_.plan; }
  std::vector<Work>& works_of(std::size_t step);
  Work work_of(std::size_t step, std::size_t task, Piece& piece) const;
  void add_to_sum(Work& work, std::optional<std::size_t> contribution);
  void run_step(std::size_t step, Communicator& ranks, const std::function<void(std::size_t step)>& reduce);
  void forget(std::size_t step);
  void compute(std::size_t step, Work& work);
  void prepare(std::size_t step, Work& work);
  void refresh(std::size_t step, Work& work) const;
  static void keep_pattern(Work& work, Storage& result);
  Options options_of(std::size_t task) const;
  std::shared_ptr<Prepared> prepared_for(const Request& local, std::size_t task);

  const PreparedLaunch& prepared_;
  Options options_;
  bool again_, reduces_early_;
  Engine* engine_ = nullptr;  // of this run
  std::vector<bool> changed_;
  std::optional<Fetches> fetches_;        // from the first run on, as
  std::vector<std::vector<Work>> works_;  // of this rank, by step; those of a task follow each other
  std::map<std::pair<std::size_t, std::size_t>, ResultMemory> buffers_;  // by task and buffer of contributions
  std::map<std::size_t, std::unique_ptr<StepSum>> sums_;                 // by contribution
  std::map<std::string, std::shared_ptr<Prepared>> kernels_;             // by request_key
  Contributions contributions_;
  Traffic traffic_;
  std::int64_t kernels_prepared_ = 0;
};

}  // namespace lacuna

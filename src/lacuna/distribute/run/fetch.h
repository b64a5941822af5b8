#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lacuna/distribute/plan/traffic.h"
#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// What a task has of an operand.
struct Fetched {
  const std::vector<IndexSet>& sets;  // by mode
  const Storage& storage;
};

/// How what a kernel reads differs from what it read in the run before.
enum class News : std::uint8_t {
  None,
  Values,  // others, in the same memory
  Memory,  // others, maybe elsewhere
};

/// Brings an operand of a launch to where the tasks of a rank use it, step by step, run after run. All ranks make the
/// same ones in the same order, and call them alike: their messages are told apart by their order alone.
class Fetch {
 public:
  /// `prepared` outlives it; its tensors may be others of the same patterns in the next run.
  Fetch(const PreparedLaunch& prepared, std::size_t operand) : prepared_(prepared), operand_(operand) {}
  virtual ~Fetch() = default;
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;

  std::size_t operand() const { return operand_; }
  /// Whether something moves in each run, even if the operand has the values of the run before: what tasks fetched
  /// moved on.
  virtual bool moves_in_each_run() const { return false; }

  /// Sends what others need in a step, copies what is here, and begins to receive. What was sent for the step before
  /// has left. `changed`: whether the operand has other values than in the run before. Collective.
  virtual void begin([[maybe_unused]] std::size_t step, [[maybe_unused]] bool changed,
                     [[maybe_unused]] Communicator& ranks) {}
  /// After the ranks' finish_receives: puts what has arrived in its place. Collective.
  virtual void finish([[maybe_unused]] std::size_t step, [[maybe_unused]] Communicator& ranks) {}
  /// After finish() of all fetches of the last step; before the ranks' finish_receives. Collective.
  virtual void end([[maybe_unused]] Communicator& ranks) {}
  /// A step that is not run again: what is known of it is of no use any more.
  virtual void forget([[maybe_unused]] std::size_t step) {}

  /// What a task has in a step: between finish() of this one and of the next one. Where it waits for nothing, from
  /// begin() on.
  virtual Fetched at(std::size_t step, std::size_t task) = 0;
  /// Whether some of that comes from another rank.
  virtual bool waits([[maybe_unused]] std::size_t step, [[maybe_unused]] std::size_t task) const { return false; }
  /// `changed` as for begin().
  virtual News news(std::size_t step, std::size_t task, bool changed) const = 0;
  /// Whether an array is in a buffer that another step writes over.
  virtual bool lends([[maybe_unused]] const Array& array, [[maybe_unused]] std::size_t task) const { return false; }

  /// What moved between processors since this was last asked, as far as it came to this rank.
  Traffic take_traffic() { return std::exchange(traffic_, {}); }

 protected:
  const LaunchPlan& plan() const { return prepared_.plan; }
  const DistributedTensor& tensor() const { return prepared_.tensor(operand_); }
  const PartShape& shape() const { return tensor().shape(); }
  bool is_of(const Transfer& transfer) const { return static_cast<std::size_t>(transfer.operand) == operand_; }
  std::int64_t receiver(const Transfer& transfer) const {
    return plan().tasks[static_cast<std::size_t>(transfer.task)].processor;
  }
  /// The ranks that send and get what a transfer moves.
  std::pair<int, int> way_of(const Transfer& transfer, const Communicator& ranks) const {
    return {rank_of(plan(), transfer.from, ranks), rank_of(plan(), receiver(transfer), ranks)};
  }
  /// Tasks of this rank that fetch the operand for themselves, and maybe for others.
  std::vector<std::size_t> fetchers(const Communicator& ranks) const {
    std::vector<std::size_t> mine;
    for (std::size_t t = 0; t < plan().tasks.size(); ++t)
      if (plan().fetcher(operand_, t) == t && rank_of(plan(), plan().tasks[t].processor, ranks) == ranks.rank())
        mine.push_back(t);
    return mine;
  }
  std::vector<IndexSet> region_of(std::size_t task, std::size_t step) const {
    return plan().region_of(plan().launch.operands[operand_], plan().tasks[task], plan().steps[step]);
  }
  void count_transfer(const Transfer& transfer, std::int64_t bytes) {
    count(traffic_, plan().machine, bytes, transfer.from, receiver(transfer));
  }

  const PreparedLaunch& prepared_;
  std::size_t operand_;
  Traffic traffic_;
};

/// What lies where it is used: in a part that the processor of a task has. Nothing moves.
class HeldParts : public Fetch {
 public:
  using Fetch::Fetch;

  void add(std::size_t task, std::int64_t part) { parts_[task] = part; }
  Fetched at(std::size_t, std::size_t task) override {
    const LocalPart& part = tensor().part(parts_.at(task));
    return {part.sets, part.storage};
  }
  News news(std::size_t, std::size_t, bool changed) const override { return changed ? News::Memory : News::None; }

 private:
  std::map<std::size_t, std::int64_t> parts_;  // by task
};

}  // namespace lacuna

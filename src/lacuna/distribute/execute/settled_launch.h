#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/distribute/execute/dense_exchange.h"
#include "lacuna/distribute/execute/launch_runner.h"
#include "lacuna/distribute/execute/pieces.h"

namespace lacuna {

/// What a rank does of a plan of one step that is run again and again, in which nothing that was fetched moves on. What
/// is sent, where it goes, and what of it each kernel reads is looked up in the first run.
class SettledLaunch : public LaunchRunner {
 public:
  SettledLaunch(const PreparedLaunch& prepared, const Options& options) : prepared_(prepared), options_(options) {}

  Contributions run(Engine& engine, Communicator& ranks, const std::vector<bool>& changed) override;

 private:
  /// A piece, its kernel and what that reads.
  struct Work {
    std::size_t task = 0;
    Piece piece;
    std::vector<std::vector<IndexSet>> used = {};  // by operand
    std::vector<IndexSet> computed = {};
    bool waits = false;                       // for what other ranks send
    std::optional<std::size_t> adds_to = {};  // another piece of the task, in whose result this one's goes
    DenseCopy adding = {};
    std::shared_ptr<Prepared> kernel = nullptr;  // once it was run
    std::map<std::string, Storage> operands = {};
    std::array<Storage, 2> results = {};  // dense ones of the last runs: the user may hold one of them
    std::size_t last = 0;                 // of these
  };

  const LaunchPlan& plan() const { return prepared_.plan; }
  const launch::Launch& launch() const { return plan().launch; }
  int rank_of(std::int64_t processor) const;
  bool is_mine(std::int64_t processor) const { return rank_of(processor) == ranks_->rank(); }
  const Task& task_of(const Transfer& transfer) const { return plan().tasks[static_cast<std::size_t>(transfer.task)]; }

  void look_up();
  void add_works(std::size_t task, TaskPieces pieces);
  void gather_entries();
  void gather_entries(std::size_t operand);
  void compute(Work& work);
  Storage operand_of(const Work& work, std::size_t operand) const;
  void prepare(Work& work);
  void refresh(Work& work);
  Storage& result_for(Work& work);

  const PreparedLaunch& prepared_;
  Options options_;
  bool is_looked_up_ = false;
  std::vector<std::optional<DenseExchange>> exchanges_;       // by operand
  std::vector<std::vector<LocalPart>> gathered_;              // by operand and task
  std::vector<Work> works_;                                   // of this rank; pieces of a task in their order
  std::map<std::string, std::shared_ptr<Prepared>> kernels_;  // by request_key

  Engine* engine_ = nullptr;  // of this run
  Communicator* ranks_ = nullptr;
  std::vector<bool> changed_;
  Contributions contributions_;
};

}  // namespace lacuna

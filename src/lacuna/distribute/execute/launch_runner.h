#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/compile/engine.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/execute/result_routes.h"
#include "lacuna/distribute/plan/traffic.h"

namespace lacuna {

/// What a rank does of a plan: the tasks of its processors, once or again and again.
class LaunchRunner {
 public:
  /// `prepared` outlives it; its tensors may be others of the same patterns in the next run.
  LaunchRunner(const PreparedLaunch& prepared, Options options) : prepared_(prepared), options_(std::move(options)) {}
  virtual ~LaunchRunner() = default;
  LaunchRunner(const LaunchRunner&) = delete;
  LaunchRunner& operator=(const LaunchRunner&) = delete;

  /// `changed`: by operand of the launch, whether it has other values than in the run before; the same on all ranks.
  /// What was fetched of the others, and lies where it is needed again, does not move. What is returned stays until the
  /// next run, or release(). Collective.
  const Contributions& run(Engine& engine, Communicator& ranks, const std::vector<bool>& changed) {
    engine_ = &engine;
    ranks_ = &ranks;
    changed_ = changed;
    fetches_ = {};
    kernels_prepared_ = 0;
    run_tasks();
    return contributions_;
  }
  /// Holds what it computed no longer: then its memory may be written over.
  virtual void release() = 0;

  /// Of the last run, on this rank.
  const Traffic& fetches() const { return fetches_; }
  std::int64_t kernels_prepared() const { return kernels_prepared_; }

 protected:
  virtual void run_tasks() = 0;

  const LaunchPlan& plan() const { return prepared_.plan; }
  const launch::Launch& launch() const { return plan().launch; }
  int rank_of(std::int64_t processor) const { return lacuna::rank_of(plan(), processor, *ranks_); }
  /// What has to run the same kernel shares it: it keeps the operands that it was prepared with.
  std::shared_ptr<Prepared> prepared_for(const Request& local) {
    const auto [at, is_first] = kernels_.try_emplace(request_key(local, options_));
    if (is_first) {
      at->second = std::make_shared<Prepared>(engine_->prepare(local, options_));
      ++kernels_prepared_;
    }
    return at->second;
  }
  bool is_mine(std::int64_t processor) const { return rank_of(processor) == ranks_->rank(); }
  const Task& receiver(const Transfer& transfer) const { return plan().tasks[static_cast<std::size_t>(transfer.task)]; }

  const PreparedLaunch& prepared_;
  Options options_;
  Engine* engine_ = nullptr;  // of this run
  Communicator* ranks_ = nullptr;
  std::vector<bool> changed_;
  Contributions contributions_;
  Traffic fetches_;
  std::int64_t kernels_prepared_ = 0;

 private:
  std::map<std::string, std::shared_ptr<Prepared>> kernels_;  // by request_key
};

}  // namespace lacuna

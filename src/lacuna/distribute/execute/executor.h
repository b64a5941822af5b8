#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/distribute/execute/launch_runner.h"
#include "lacuna/distribute/execute/local_request.h"

namespace lacuna {

/// Runs any plan step by step. Keeps what tasks fetched last, and the kernels that they ran, for the next run. Most
/// plans that are run again have quicker runners (SettledLaunch, SteppedLaunch).
class Executor : public LaunchRunner {
 public:
  /// `keeps_kernels`: it will be run again.
  Executor(const PreparedLaunch& prepared, const Options& options, bool keeps_kernels);

  void release() override;

 private:
  /// The statement of a task in a step, compiled, and what of its operands no run changes.
  struct Kernel {
    std::shared_ptr<Prepared> prepared;
    std::map<std::string, Storage> constants;
  };
  /// What the plan says of a task in a step.
  struct Share {
    std::vector<std::vector<IndexSet>> fetched, used;  // by operand
    bool contributes = false;
    std::vector<IndexSet> computed;
  };

  void run_tasks() override;
  const Share& share(std::size_t s, std::size_t t);
  bool lies_there(const Transfer& transfer) const;
  void send(const LaunchStep& step);
  void arrive(const Transfer& transfer, LocalPart part);
  void receive(std::size_t s);
  using Arrived = std::map<std::pair<std::int64_t, int>, std::vector<LocalPart>>;
  void put_together(std::size_t s, std::size_t t, const Arrived& arrived);
  bool is_new(std::size_t t, std::size_t o, const std::vector<IndexSet>& region) const;
  LocalPart sent(const Transfer& transfer) const;
  void compute(std::size_t s, std::size_t t);
  Storage computed(std::size_t s, std::size_t t);
  Storage run_again(const Kernel& kernel, std::size_t s, std::size_t t);
  Kernel kernel_of(const Request& local);
  void contribute(std::size_t t, LocalPart part);
  const LocalPart& held(std::size_t t, std::size_t o) const { return held_[plan().fetcher(o, t)][o]; }

  bool keeps_kernels_;
  std::vector<bool> settled_;  // by operand: what is fetched in the first step stays
  bool was_run_ = false;

  std::vector<std::vector<LocalPart>> held_;      // by task that fetches, and operand: what it fetched last
  std::map<const Transfer*, LocalPart> arrived_;  // of the next step
  std::map<std::size_t, LocalPart> computed_;     // of this rank, by contribution
  std::map<std::pair<std::size_t, std::size_t>, Share> shares_;    // by step and task; of one step where no run follows
  std::map<std::pair<std::size_t, std::size_t>, Kernel> kernels_;  // by step and task
};

}  // namespace lacuna

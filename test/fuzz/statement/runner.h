#pragma once

#include <functional>
#include <string>

#include "fuzz/machine/run_on_machine.h"
#include "fuzz/statement/problem.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/reference/evaluate.h"
#include "lacuna/tensor/compare.h"

namespace lacuna::fuzz {

enum class Verdict : std::uint8_t {
  Agrees,
  Refused,  // lacuna::Error: said to be the user's mistake
  Differs,  // another value or another pattern than the definition's
  Fails,    // any other exception, or a result that is not well made
};

struct Outcome {
  Verdict verdict = Verdict::Agrees;
  std::string message;
  bool bad() const { return verdict == Verdict::Differs || verdict == Verdict::Fails; }
};

/// What the definition gives for a problem, and how near a result must come to it.
class Expected {
 public:
  /// Throws Error when the problem is not legal.
  explicit Expected(const Problem& problem);
  /// Compares a result in value, pattern, type, format and dimensions; it must be well made, too.
  Outcome judge(const Storage& result) const;
  const Request& request() const { return request_; }

 private:
  Request request_;
  std::optional<Format> format_;
  Type type_ = Type::Float64;
  ReferenceResult reference_;
  CompareOptions tolerance_;
};

/// Evaluates problems by the compiler and compares them with the definition.
class Runner {
 public:
  using PlanHook = std::function<void(const Plan&)>;

  /// `ranks`: who plays the processors of machines; none: this process. All of them run the same problems, and all
  /// have the same outcome, whoever finds what it tells.
  Runner(Target::Backend backend, JitOptions jit, Communicator* ranks = nullptr);
  /// Ends kernels that run away in the interpreter sooner.
  void limit_steps(std::int64_t steps) { max_steps_ = steps; }
  /// Kernels run on a device; null: on one that the interpreter emulates.
  void use_device(std::shared_ptr<Device> device) {
    is_on_device_ = true;
    device_ = std::move(device);
  }
  /// Where it belongs. `hook` is shown the plan before it runs; a statement that takes two kernels has none to show,
  /// and one that several processors compute neither.
  Outcome run(const Problem& problem, const PlanHook& hook = nullptr);
  /// On a machine: operands known in whole, and held by parts; what moves must be what the simulator counts.
  Outcome run_on_machine(const Problem& problem);
  /// Through the engine and its cache of plans, which serves every problem of this runner.
  Outcome run_cached(const Problem& problem);
  /// With what together.h puts beside it, all in one kernel.
  Outcome run_together(const Problem& problem);
  /// With numbers that the kernel gets as arguments.
  Outcome run_passing_numbers(const Problem& problem);
  /// By a plan made before, and changed since.
  Outcome run(const Expected& expected, int threads, const Plan& plan);
  /// What was run on machines, and agreed.
  const MachineCounts& machine_counts() const { return machine_counts_; }

 private:
  std::optional<std::string> refused_while_running(const DistributedRequest& request, const Options& options);
  Outcome agreed(const std::function<Outcome()>& run);
  Outcome judge_kept(const Problem& problem, const std::vector<Expected>& runs, const Options& options,
                     bool by_their_parts);
  Options options(int threads) const;
  Storage evaluate(const Request& request, int threads, const PlanHook& hook);
  Storage evaluate(const CheckedRequest& checked, const Request& request, const Options& options, const PlanHook& hook);
  Storage evaluate_as_another(const Request& request, int threads, const std::string& seed);
  Storage run(const Plan& plan, const CheckedRequest& checked, const Request& request, const Options& options,
              Report* report = nullptr);
  std::optional<std::string> multiplied_work(const Request& request, int threads);

  Target::Backend backend_;
  bool is_on_device_ = false;
  std::shared_ptr<Device> device_;
  std::int64_t max_steps_ = 20'000'000;
  Jit jit_;
  Engine engine_;
  std::unique_ptr<Communicator> alone_;
  Communicator& ranks_;
  MachineCounts machine_counts_;
};

}  // namespace lacuna::fuzz

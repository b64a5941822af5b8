#pragma once

#include <functional>

#include "fuzz/history/history.h"
#include "fuzz/statement/runner.h"

namespace lacuna::fuzz {

/// What a history exercised.
struct HistoryCounts {
  std::int64_t updates = 0, evaluations = 0, snapshots = 0;
  std::int64_t followed = 0;  // evaluations that a result kept up to date was compared with as well
  std::int64_t skipped = 0;   // evaluations that rounding decides, or that were refused
};

/// How messages speak of a result that follows the operand.
inline constexpr const char* of_changes = "the result of changes";

/// Runs histories: the tensor is compared with a map after each step and its nodes are checked, snapshots must stay
/// what they were, and results are compared with the definition.
class HistoryRunner {
 public:
  HistoryRunner(Target::Backend backend, JitOptions jit) : backend_(backend), jit_(std::move(jit)) {}
  /// Ends kernels that run away in the interpreter sooner.
  void limit_steps(std::int64_t steps) { max_steps_ = steps; }
  /// Each history has an engine of its own, which `prepare` may change beforehand.
  using Prepare = std::function<void(Engine& engine, const Options& options, const History& history)>;
  Outcome run(const History& history, HistoryCounts& counts, const Prepare& prepare = nullptr) const;

 private:
  Target::Backend backend_;
  JitOptions jit_;
  std::int64_t max_steps_ = 20'000'000;
};

}  // namespace lacuna::fuzz

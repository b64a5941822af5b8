#include "fuzz/history/session.h"

#include <chrono>
#include <iostream>
#include <map>

#include <fmt/core.h>

#include "fuzz/history/run_history.h"

namespace lacuna::fuzz {
namespace {

class Session {
 public:
  explicit Session(const HistorySession& asked) : asked_(asked), start_(Clock::now()) {}

  bool run() {
    fuzz(Target::Backend::Interpreter, asked_.interpret);
    fuzz(Target::Backend::C, asked_.compile);
    print_summary();
    return bad_ == 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// History number n is drawn from seed + n alone, so that each can be repeated by itself.
  void fuzz(Target::Backend backend, int count) {
    const HistoryRunner runner(backend, asked_.jit);
    for (int n = 0; n < count && bad_ < asked_.failures; ++n) {
      if (asked_.seconds > 0 && elapsed() > asked_.seconds) break;
      const std::uint64_t seed = asked_.seed + static_cast<std::uint64_t>(n);
      Random random(seed);
      const History history = draw_history(random, rejections_);
      ++histories_;
      const Outcome outcome = runner.run(history, counts_);
      if (outcome.verdict == Verdict::Refused) ++refusals_[outcome.message];
      if (!outcome.bad()) continue;
      ++bad_;
      report(history, outcome, runner, backend, seed);
    }
  }

  void report(const History& history, const Outcome& outcome, const HistoryRunner& runner, Target::Backend backend,
              std::uint64_t seed) const {
    const bool interpret = backend == Target::Backend::Interpreter;
    fmt::print("FAILED at seed {}: {}\n{}", seed, outcome.message, describe(history));
    History smaller = history;
    HistoryCounts unused;
    if (asked_.shrink) {
      const auto fails = [&](const History& h) { return runner.run(h, unused).verdict == outcome.verdict; };
      smaller = lacuna::fuzz::shrink(history, fails, interpret ? 5000 : 200);
      fmt::print("shrunk: {}\n{}", runner.run(smaller, unused).message, describe(smaller));
    }
    fmt::print("repeat: lacuna_fuzz --histories {} 1 --seed {}\n", interpret ? "--interpret" : "--compile", seed);
    const std::string folder = fmt::format("{}-{}", asked_.folder, seed);
    const bool incremental = outcome.message.find(of_changes) != std::string::npos;
    fmt::print("reproduce: {}\n", command_line(smaller, folder, interpret, incremental));
    std::cout.flush();
  }

  void print_summary() {
    const double seconds = elapsed();
    fmt::print(
        "seed {}: {} histories in {:.1f} s ({:.0f}/s): {} failed; {} updates, {} snapshots, {} evaluations, {} of them "
        "beside a result kept up to date; {} evaluations skipped\n",
        asked_.seed, histories_, seconds, static_cast<double>(histories_) / seconds, bad_, counts_.updates,
        counts_.snapshots, counts_.evaluations, counts_.followed, counts_.skipped);
    for (const auto& [message, count] : refusals_) fmt::print("refused {} times: {}\n", count, message);
  }

  const HistorySession& asked_;
  Clock::time_point start_;
  Rejections rejections_;
  HistoryCounts counts_;
  std::map<std::string, std::int64_t> refusals_;
  std::int64_t histories_ = 0;
  int bad_ = 0;
};

}  // namespace

bool run_histories(const HistorySession& session) { return Session(session).run(); }

}  // namespace lacuna::fuzz

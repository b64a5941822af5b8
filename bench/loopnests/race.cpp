#include "bench/loopnests/race.h"

#include <algorithm>
#include <exception>
#include <optional>

#include <fmt/format.h>

#include "bench/contest/agree.h"
#include "bench/contest/compiled.h"
#include "bench/loopnests/contestants.h"
#include "lacuna/schedule/language/schedule.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

constexpr double most_multiplications = 2e10;  // of one nest: more would take a minute

struct Entrant {
  Kind kind;
  Contestant contestant;
};

class LineUp {
 public:
  LineUp(const Benchmark& benchmark, Request request, int threads, Engine& engine, Outcome& outcome)
      : benchmark_(benchmark), request_(std::move(request)), threads_(threads), engine_(engine), outcome_(outcome) {}

  std::vector<Entrant> all() {
    for (std::size_t k = 0; k < benchmark_.separate.size(); ++k) {
      const std::string name = fmt::format("separate {}", k + 1);
      const std::vector<Step>& steps = benchmark_.separate[k];
      add(Kind::Separate, name, [&] { return separate_kernels(name, engine_, request_, steps, threads_); });
      add(Kind::Separate, name + " blas",
          [&] { return separate_with_blas(name + " blas", engine_, request_, steps, threads_); });
    }
    for (std::size_t k = 0; k < benchmark_.fused.size(); ++k)
      add_kernel(Kind::Fused, fmt::format("loopfuse {}", k + 1), benchmark_.fused[k]);
    add_kernel(Kind::Automatic, "automatic", "");
    if (work_of_one_nest() <= most_multiplications) add_kernel(Kind::OneNest, "one nest", benchmark_.one_nest);
    return std::move(entrants_);
  }

 private:
  template <typename Make>
  void add(Kind kind, const std::string& name, const Make& make) {
    try {
      std::optional<Contestant> made = make();
      if (made) entrants_.push_back({kind, std::move(*made)});
    } catch (const std::exception& error) {
      outcome_.notes.push_back(fmt::format("{} failed: {}", name, error.what()));
    }
  }

  /// `schedule`: empty for the automatic one.
  void add_kernel(Kind kind, const std::string& name, const std::string& schedule) {
    add(kind, name, [&] {
      Request request = request_;
      if (!schedule.empty()) request.schedule = parse_schedule(schedule);
      return compiled(name, engine_, request, threads_);
    });
  }

  double work_of_one_nest() const {
    auto work = static_cast<double>(request_.operands.at("B").values.size());
    for (const auto& [variable, size] : benchmark_.sizes) work *= static_cast<double>(size);
    return work;
  }

  const Benchmark& benchmark_;
  Request request_;
  int threads_;
  Engine& engine_;
  Outcome& outcome_;
  std::vector<Entrant> entrants_;
};

/// Those whose result agrees with that of the first.
std::vector<Entrant> checked(std::vector<Entrant> all, Outcome& outcome) {
  std::optional<Storage> expected;
  std::vector<Entrant> sound;
  for (Entrant& each : all) {
    each.contestant.run();
    const Storage result = each.contestant.result();
    if (!expected) expected = result;
    if (const auto found = disagreement(*expected, result)) {
      outcome.wrong = true;
      outcome.notes.push_back(
          fmt::format("{} and {} disagree: {}", all[0].contestant.name, each.contestant.name, *found));
      continue;
    }
    sound.push_back(std::move(each));
  }
  return sound;
}

void compare(Outcome& outcome) {
  const Timing* ours = outcome.best_of(Kind::Automatic);
  const Timing* separate = outcome.best_of(Kind::Separate);
  const Timing* fused = outcome.best_of(Kind::Fused);
  const Timing* best = nullptr;
  for (const Timing& each : outcome.timings)
    if (each.kind != Kind::Automatic && (best == nullptr || each.median < best->median)) best = &each;
  if (separate != nullptr && fused != nullptr) outcome.fused = separate->median / fused->median;
  if (separate != nullptr && ours != nullptr) outcome.automatic = separate->median / ours->median;
  if (ours == nullptr || best == nullptr) return;
  outcome.best = best->name;
  if (best->times.size() == ours->times.size()) outcome.speed = ratio_of_medians(best->times, ours->times);
  else outcome.speed = {best->median / ours->median, 0, 0};
}

}  // namespace

const Timing* Outcome::best_of(Kind kind) const {
  const Timing* found = nullptr;
  for (const Timing& each : timings)
    if (each.kind == kind && (found == nullptr || each.median < found->median)) found = &each;
  return found;
}

Outcome race(const Benchmark& benchmark, const std::string& input, const Storage& sparse, int threads, Engine& engine,
             const Effort& effort) {
  Outcome outcome;
  outcome.input = input;
  outcome.threads = threads;
  LineUp line_up(benchmark, request_of(benchmark, sparse), threads, engine, outcome);
  const std::vector<Entrant> all = checked(line_up.all(), outcome);
  std::vector<Contestant> contestants;
  contestants.reserve(all.size());
  for (const Entrant& each : all) contestants.push_back(each.contestant);
  const std::vector<std::vector<double>> times = take_turns(contestants, effort);
  for (std::size_t k = 0; k < all.size(); ++k)
    outcome.timings.push_back({all[k].kind, contestants[k].name, tool::median(times[k]), times[k]});
  compare(outcome);
  return outcome;
}

}  // namespace lacuna::contest

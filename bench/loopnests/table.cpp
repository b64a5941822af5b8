#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bench/loopnests/report.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

constexpr double goal_of_automatic = 0.95;

std::vector<std::string> names_of(const NestReport& report) {
  std::vector<std::string> names;
  for (const Outcome& outcome : report.outcomes)
    for (const Timing& timing : outcome.timings)
      if (std::find(names.begin(), names.end(), timing.name) == names.end()) names.push_back(timing.name);
  return names;
}

std::string time_in(const Outcome& outcome, const std::string& name) {
  for (const Timing& timing : outcome.timings)
    if (timing.name == name) return tool::time_text(timing.median);
  return "-";
}

double mean(const std::vector<double>& ratios) {
  double logarithms = 0;
  for (const double r : ratios) logarithms += std::log(r);
  return std::exp(logarithms / static_cast<double>(ratios.size()));
}

void print_means(const NestReport& report, int threads) {
  std::vector<double> fused, automatic;
  const Outcome* worst = nullptr;
  for (const Outcome& outcome : report.outcomes) {
    if (outcome.threads != threads) continue;
    if (outcome.fused > 0) fused.push_back(outcome.fused);
    if (outcome.automatic > 0) automatic.push_back(outcome.automatic);
    if (!outcome.best.empty() && (worst == nullptr || outcome.speed.value < worst->speed.value)) worst = &outcome;
  }
  const char* plural = threads == 1 ? "" : "s";
  if (!fused.empty() && !automatic.empty()) {
    const double best = std::max(mean(fused), mean(automatic));
    fmt::print("  {} thread{}: over the best separate kernels, geometric mean: loopfuse {:.2f}, automatic {:.2f}",
               threads, plural, mean(fused), mean(automatic));
    if (report.benchmark.goal > 0)
      fmt::print("; goal {:.2f}: {}", report.benchmark.goal, best >= report.benchmark.goal ? "met" : "missed");
    fmt::print("\n");
  }
  if (worst != nullptr)
    fmt::print("  {} thread{}: automatic over the best, at worst {:.2f} [{:.2f}, {:.2f}] on {}; goal {:.2f}: {}\n",
               threads, plural, worst->speed.value, worst->speed.low, worst->speed.high, worst->input,
               goal_of_automatic, worst->speed.value >= goal_of_automatic ? "met" : "missed");
}

void print_ways(const Benchmark& benchmark) {
  for (std::size_t k = 0; k < benchmark.separate.size(); ++k) {
    fmt::print("  separate {}:", k + 1);
    for (const Step& step : benchmark.separate[k]) fmt::print(" {};", step.statement);
    fmt::print("\n");
  }
  for (std::size_t k = 0; k < benchmark.fused.size(); ++k) fmt::print("  loopfuse {}: {}\n", k + 1, benchmark.fused[k]);
}

}  // namespace

void print_table(const NestReport& report) {
  const std::vector<std::string> names = names_of(report);
  fmt::print("{}   {}\n", report.benchmark.name, report.benchmark.statement);
  print_ways(report.benchmark);
  fmt::print("  {:<20} {:>7}", "input", "threads");
  for (const std::string& name : names) fmt::print(" {:>{}}", name, std::max<std::size_t>(9, name.size()));
  fmt::print("  automatic over the best\n");
  std::set<int> threads;
  for (const Outcome& outcome : report.outcomes) {
    threads.insert(outcome.threads);
    fmt::print("  {:<20} {:>7}", outcome.input, outcome.threads);
    for (const std::string& name : names)
      fmt::print(" {:>{}}", time_in(outcome, name), std::max<std::size_t>(9, name.size()));
    if (!outcome.best.empty())
      fmt::print("  {:<15} {:>5.2f} [{:.2f}, {:.2f}]", outcome.best, outcome.speed.value, outcome.speed.low,
                 outcome.speed.high);
    fmt::print("\n");
    for (const std::string& note : outcome.notes) fmt::print("    note: {}\n", note);
  }
  for (const int t : threads) print_means(report, t);
}

}  // namespace lacuna::contest

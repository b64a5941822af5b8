#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bench/kernels/report.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

/// Columns for everyone who took part in any row, in the order of first appearance.
std::vector<std::string> names_of(const KernelReport& report) {
  std::vector<std::string> names;
  for (const Outcome& outcome : report.outcomes) {
    for (const Timing& timing : outcome.timings) {
      if (std::find(names.begin(), names.end(), timing.name) == names.end()) names.push_back(timing.name);
    }
  }
  return names;
}

std::string time_in(const Outcome& outcome, const std::string& name) {
  for (const Timing& timing : outcome.timings) {
    if (timing.name == name) return tool::time_text(timing.median);
  }
  return "-";
}

void print_row(const Outcome& outcome, const std::vector<std::string>& names) {
  fmt::print("  {:<20} {:>7}", outcome.input, outcome.threads);
  for (const std::string& name : names)
    fmt::print(" {:>{}}", time_in(outcome, name), std::max<std::size_t>(9, name.size()));
  if (outcome.fastest.empty()) {
    fmt::print("  {:<31}", "");
  } else {
    const Ratio& speed = outcome.speed;
    fmt::print("  {:<10} {:>5.2f} {:<14}", outcome.fastest, speed.value,
               fmt::format("[{:.2f}, {:.2f}]", speed.low, speed.high));
  }
  fmt::print("  {:>5.0f} %\n", 100 * outcome.bandwidth);
}

void print_goal(const KernelReport& report, int threads) {
  const Goal& goal = report.kernel.goal;
  const char* plural = threads == 1 ? "" : "s";
  if (const double speed = mean_speed(report, threads); speed > 0) {
    fmt::print("  {} thread{}: geometric mean {:.2f} times the fastest, goal {:.2f}: {}\n", threads, plural, speed,
               goal.speed, speed >= goal.speed ? "met" : "missed");
  }
  if (const double share = least_bandwidth(report, threads); goal.bandwidth > 0 && share > 0) {
    fmt::print("  {} thread{}: at least {:.0f} % of the read bandwidth{}, goal {:.0f} %: {}\n", threads, plural,
               100 * share,
               goal.bandwidth_inputs.empty() ? "" : fmt::format(" on {}", fmt::join(goal.bandwidth_inputs, " and ")),
               100 * goal.bandwidth, share >= goal.bandwidth ? "met" : "missed");
  }
}

}  // namespace

double mean_speed(const KernelReport& report, int threads) {
  double logarithms = 0;
  int count = 0;
  for (const Outcome& outcome : report.outcomes) {
    if (outcome.threads != threads || outcome.fastest.empty()) continue;
    logarithms += std::log(outcome.speed.value);
    ++count;
  }
  return count == 0 ? 0 : std::exp(logarithms / count);
}

double least_bandwidth(const KernelReport& report, int threads) {
  const std::vector<std::string>& inputs = report.kernel.goal.bandwidth_inputs;
  double least = 0;
  for (const Outcome& outcome : report.outcomes) {
    const bool counts = inputs.empty() || std::find(inputs.begin(), inputs.end(), outcome.input) != inputs.end();
    if (outcome.threads != threads || !counts || outcome.bandwidth == 0) continue;
    least = least == 0 ? outcome.bandwidth : std::min(least, outcome.bandwidth);
  }
  return least;
}

std::vector<int> thread_counts(const KernelReport& report) {
  std::set<int> counts;
  for (const Outcome& outcome : report.outcomes) counts.insert(outcome.threads);
  return {counts.begin(), counts.end()};
}

void print_table(const KernelReport& report) {
  const std::vector<std::string> names = names_of(report);
  fmt::print("{}   {}\n", report.kernel.name, report.kernel.statement);
  fmt::print("  {:<20} {:>7}", "input", "threads");
  for (const std::string& name : names) fmt::print(" {:>{}}", name, std::max<std::size_t>(9, name.size()));
  fmt::print("  Lacuna's speed over the fastest  bandwidth\n");
  for (const Outcome& outcome : report.outcomes) {
    print_row(outcome, names);
    for (const std::string& note : outcome.notes) fmt::print("    note: {}\n", note);
  }
  fmt::print("  bytes of the bandwidth's share: {}\n", report.kernel.byte_model);
  for (const int threads : thread_counts(report)) print_goal(report, threads);
}

}  // namespace lacuna::contest

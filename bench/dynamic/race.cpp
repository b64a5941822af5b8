#include "bench/dynamic/race.h"

#include <cstdio>

#include <fmt/format.h>

#include "bench/contest/agree.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

/// Those whose result is that of the first.
std::vector<Entry> checked(const std::vector<Entry>& entries, bool& agree) {
  std::vector<Entry> sound;
  std::optional<Storage> expected;
  for (const Entry& each : entries) {
    each.contestant.run();
    const Storage result = each.contestant.result();
    if (each.contestant.clear) each.contestant.clear();
    if (!expected) expected = result;
    if (const auto found = disagreement(*expected, result)) {
      fmt::print("    {} and {} disagree: {}\n", entries[0].contestant.name, each.contestant.name, *found);
      agree = false;
      continue;
    }
    sound.push_back(each);
  }
  return sound;
}

}  // namespace

bool race(const std::string& title, const std::vector<Entry>& entries, const Effort& effort) {
  fmt::print("\n{}\n", title);
  bool agree = true;
  const std::vector<Entry> sound = checked(entries, agree);
  std::vector<Contestant> contestants;
  for (const Entry& each : sound) contestants.push_back(each.contestant);
  const std::vector<std::vector<double>> times = take_turns(contestants, effort);
  for (std::size_t k = 0; k < sound.size(); ++k) {
    const Entry& each = sound[k];
    std::string line = fmt::format("  {:<28}{:>12.3f} ms", each.contestant.name, tool::median(times[k]));
    if (k > 0 && times[k].size() == times[0].size()) {
      const Ratio r = ratio_of_medians(times[k], times[0]);
      line += fmt::format("   {:>6.2f} times [{:.2f}, {:.2f}]", r.value, r.low, r.high);
      if (each.most) line += fmt::format(", goal {}: {}", *each.most, r.value <= *each.most ? "met" : "missed");
    } else if (k > 0) {
      line += fmt::format("   {:>6.2f} times (one run)", tool::median(times[k]) / tool::median(times[0]));
    }
    if (each.bytes > 0) line += fmt::format("   {:.1f} bytes an entry", each.bytes);
    fmt::print("{}\n", line);
  }
  std::fflush(stdout);
  return agree;
}

}  // namespace lacuna::contest

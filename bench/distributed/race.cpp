#include "bench/distributed/race.h"

#include <chrono>
#include <cstdio>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "bench/contest/agree.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

using Clock = std::chrono::steady_clock;

/// Those whose result is that of the first, as the first rank sees it.
std::vector<Entry> checked(Ranks& ranks, const std::vector<Entry>& entries, bool& agree) {
  std::vector<Entry> sound;
  std::optional<Storage> expected;
  for (const Entry& each : entries) {
    const bool runs = ranks.is_first() || !each.is_first_alone;
    if (runs) each.contestant.run();
    ranks.meet();
    Storage result;
    if (runs) result = each.contestant.result();
    if (runs && each.contestant.clear) each.contestant.clear();
    std::optional<std::string> found;
    if (ranks.is_first()) {
      if (!expected) expected = result;
      found = disagreement(*expected, result);
      if (found) fmt::print("    {} and {} disagree: {}\n", entries[0].contestant.name, each.contestant.name, *found);
    }
    if (ranks.first_says(found.has_value())) agree = false;
    else sound.push_back(each);
  }
  return sound;
}

std::string compared(const Entry& entry, const std::vector<double>& times, const std::vector<double>& of_first) {
  const bool once = times.size() < 2;
  const Ratio r = once ? Ratio{times[0] / of_first[0], 0, 0} : ratio_of_medians(times, of_first);
  std::string line = fmt::format("   {:>6.2f} times its speed ", r.value);
  line += once ? "(one run)" : fmt::format("[{:.2f}, {:.2f}]", r.low, r.high);
  if (entry.least) line += fmt::format(", goal {}: {}", *entry.least, r.value >= *entry.least ? "met" : "missed");
  return line;
}

}  // namespace

double timed_run(Ranks& ranks, const Entry& entry) {
  const bool runs = ranks.is_first() || !entry.is_first_alone;
  if (runs && entry.contestant.clear) entry.contestant.clear();
  ranks.meet();
  if (!entry.is_first_alone) ranks.line_up();
  const Clock::time_point start = Clock::now();
  if (runs) entry.contestant.run();
  const Clock::time_point end = Clock::now();
  ranks.meet();
  // Threads of OpenMP go on turning for some 10 ms (GOMP_SPINCOUNT), and would take processors from who is next.
  if (entry.is_first_alone) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // From when the first rank begins until the last one is done: all ranks are on one computer, and have one clock.
  const auto seconds = [](const Clock::time_point& t) {
    return std::chrono::duration<double>(t.time_since_epoch()).count();
  };
  constexpr double never = -std::numeric_limits<double>::infinity();
  const double last_end = ranks.largest(runs ? seconds(end) : never);
  const double first_start = -ranks.largest(runs ? -seconds(start) : never);
  return 1e3 * (last_end - first_start);
}

Times take_turns(Ranks& ranks, const std::vector<Entry>& entries, const Effort& effort) {
  Times times(entries.size());
  for (const Entry& each : entries) timed_run(ranks, each);
  const Clock::time_point start = Clock::now();
  for (int round = 0; round < effort.most; ++round) {
    const bool late = std::chrono::duration<double>(Clock::now() - start).count() > effort.seconds;
    if (ranks.first_says(round >= effort.least && late)) break;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const std::size_t turn = (k + static_cast<std::size_t>(round)) % entries.size();
      times[turn].push_back(timed_run(ranks, entries[turn]));
    }
  }
  return times;
}

bool race(Ranks& ranks, const std::string& title, const std::vector<Entry>& entries, const Effort& effort) {
  if (ranks.is_first()) fmt::print("\n{}\n", title);
  bool agree = true;
  const std::vector<Entry> sound = checked(ranks, entries, agree);
  const Times times = take_turns(ranks, sound, effort);
  if (!ranks.is_first()) return agree;
  for (std::size_t k = 0; k < sound.size(); ++k) {
    fmt::print("  {:<28}{:>12.3f} ms{}\n", sound[k].contestant.name, tool::median(times[k]),
               k > 0 ? compared(sound[k], times[k], times[0]) : "");
  }
  std::fflush(stdout);
  return agree;
}

}  // namespace lacuna::contest

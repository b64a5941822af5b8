#include "bench/kernels/race.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "bench/contest/agree.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

constexpr const char* own_name = "Lacuna";

bool is_lacuna(const std::string& name) { return name.starts_with(own_name); }

/// Runs `step`; what it throws becomes a note instead.
template <typename Step>
bool noted(Outcome& outcome, const std::string& who, const Step& step) {
  try {
    step();
    return true;
  } catch (const std::exception& error) {
    outcome.notes.push_back(fmt::format("{} failed: {}", who, error.what()));
    return false;
  }
}

std::vector<Contestant> line_up(const Problem& problem, const std::string& schedule, int threads,
                                LacunaContestants& lacuna, const Field& field, Outcome& outcome) {
  std::vector<Contestant> all;
  noted(outcome, own_name, [&] { all.push_back(lacuna.automatic(problem, threads)); });
  if (!schedule.empty()) {
    noted(outcome, "Lacuna scheduled", [&] { all.push_back(lacuna.scheduled(problem, schedule, threads)); });
  }
  for (const Peer& peer : field.peers) {
    noted(outcome, peer.name, [&] {
      if (std::optional<Contestant> c = peer.enter(problem, threads)) all.push_back(std::move(*c));
    });
  }
  return all;
}

/// Those that run, and whose result agrees with that of the first other contestant that ran (so that a fault of
/// Lacuna's reads as one).
std::vector<Contestant> checked(std::vector<Contestant> all, Outcome& outcome) {
  std::optional<Storage> expected;
  std::string judge;
  std::vector<Contestant> sound;
  std::stable_partition(all.begin(), all.end(), [](const Contestant& c) { return !is_lacuna(c.name); });
  for (Contestant& each : all) {
    noted(outcome, each.name, [&] {
      each.run();
      const Storage result = each.result();
      if (expected) {
        if (const auto found = disagreement(*expected, result)) {
          outcome.wrong = true;
          outcome.notes.push_back(fmt::format("{} and {} disagree: {}", judge, each.name, *found));
          return;
        }
      } else {
        expected = result;
        judge = each.name;
      }
      sound.push_back(each);
    });
  }
  std::stable_partition(sound.begin(), sound.end(), [](const Contestant& c) { return is_lacuna(c.name); });
  return sound;
}

void compare(Outcome& outcome, double bytes, double bandwidth) {
  const auto& timings = outcome.timings;
  const auto ours = std::find_if(timings.begin(), timings.end(), [](const Timing& t) { return t.name == own_name; });
  if (ours == timings.end()) return;
  outcome.bandwidth = bytes / (ours->median * 1e-3) / bandwidth;
  const Timing* best = nullptr;
  for (const Timing& each : timings) {
    if (!is_lacuna(each.name) && (best == nullptr || each.median < best->median)) best = &each;
  }
  if (best == nullptr) return;
  outcome.fastest = best->name;
  outcome.speed = ratio_of_medians(best->times, ours->times);
}

}  // namespace

Outcome race(const Problem& problem, const std::string& schedule, int threads, LacunaContestants& lacuna,
             const Field& field) {
  Outcome outcome;
  outcome.input = problem.input;
  outcome.threads = threads;
  const std::vector<Contestant> all = checked(line_up(problem, schedule, threads, lacuna, field, outcome), outcome);
  const std::vector<std::vector<double>> times = take_turns(all, field.effort);
  for (std::size_t k = 0; k < all.size(); ++k) {
    outcome.timings.push_back({all[k].name, tool::median(times[k]), times[k]});
  }
  compare(outcome, problem.bytes, field.bandwidths.at(threads));
  return outcome;
}

}  // namespace lacuna::contest

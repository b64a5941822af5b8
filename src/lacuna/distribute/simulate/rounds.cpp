#include "lacuna/distribute/simulate/rounds.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <ctime>
#include <numeric>
#include <utility>

#include "lacuna/distribute/communicate/launched.h"
#include "lacuna/distribute/exchange/numbers.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Until the last rank is done. Those of one computer have one clock.
double time_until_all_are_done(Communicator& ranks, const PhaseRun& mine, bool is_one_computer) {
  const auto number = [](const Clock::time_point& t) { return std::bit_cast<std::int64_t>(t); };
  const auto seconds = [](std::int64_t from, std::int64_t to) {
    return std::chrono::duration<double>(std::bit_cast<Clock::time_point>(to) - std::bit_cast<Clock::time_point>(from))
        .count();
  };
  std::int64_t begin = number(mine.begin), end = number(mine.end);
  double most = 0;
  for (const auto& each : gather_numbers(ranks, {begin, end})) {
    begin = std::min(begin, each[0]);
    end = std::max(end, each[1]);
    most = std::max(most, seconds(each[0], each[1]));
  }
  return is_one_computer ? seconds(begin, end) : most;
}

/// Where ranks share processors, which go from one to the next when one waits or has had enough: in the time of one
/// phase, some have begun another.
double time_of_work(Communicator& ranks, const PhaseRun& mine, const SharedProcessors& sharing) {
  std::vector<double> work;
  for (const auto& each : gather_numbers(ranks, {std::bit_cast<std::int64_t>(mine.working)}))
    work.push_back(std::bit_cast<double>(each[0]));
  return sharing.time_of(work);
}

double sum_of(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

double median_of(std::vector<double>& all) {
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

}  // namespace

Rounds::Rounds(Communicator& ranks, const SharedProcessors& sharing, std::vector<Phase> phases)
    : ranks_(ranks),
      sharing_(sharing),
      phases_(std::move(phases)),
      is_one_computer_(largest_over(ranks, ranks_on_this_computer() == ranks.ranks() ? 0 : 1) == 0),
      last_(phases_.size()) {}

/// The time of a rank is told where the ranks meet next, after the phase that follows.
void Rounds::next() {
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    if (phases_[p].before) phases_[p].before();
    largest_over(ranks_, 0);
    const Clock::time_point begin = Clock::now();
    const double worked = processor_time();
    phases_[p].run();
    const PhaseRun mine{begin, Clock::now(), processor_time() - worked};
    const std::size_t before = p == 0 ? phases_.size() - 1 : p - 1;
    const bool takes_turns = sharing_.is_shared() && !phases_[before].talks;
    last_[before] = takes_turns ? time_of_work(ranks_, last_run_, sharing_)
                                : time_until_all_are_done(ranks_, last_run_, is_one_computer_);
    last_run_ = mine;
  }
}

std::vector<double> Rounds::next_medians(std::size_t least) {
  constexpr std::size_t most = 101;
  constexpr double enough = 0.05;  // seconds
  std::vector<std::vector<double>> seconds(phases_.size());
  double sum = 0;
  while (seconds[0].size() < least || (seconds[0].size() < most && sum < enough)) {
    next();
    for (std::size_t p = 0; p < seconds.size(); ++p) seconds[p].push_back(last_[p]);
    sum += sum_of(last_);
  }
  spent_ += sum;
  std::vector<double> medians;
  for (std::vector<double>& each : seconds) medians.push_back(median_of(each));
  return medians;
}

std::vector<double> Rounds::medians(std::size_t least) {
  for (int k = 0; k < 3; ++k) next();
  return next_medians(least);
}

std::vector<double> Rounds::least_medians() {
  constexpr double no_quicker = 0.97, patience = 1;  // seconds
  constexpr int enough = 2;                          // rounds of rounds that are no quicker
  constexpr std::size_t rounds = 11;
  const double until = spent_ + patience;
  std::vector<double> least = medians(rounds);
  for (int no_better = 0; no_better < enough && spent_ < until;) {
    const std::vector<double> times = next_medians(rounds);
    const double before = sum_of(least);
    for (std::size_t p = 0; p < least.size(); ++p) least[p] = std::min(least[p], times[p]);
    no_better = sum_of(least) > no_quicker * before ? no_better + 1 : 0;
  }
  return least;
}

double largest_over(Communicator& ranks, double mine) {
  double most = mine;
  for (const auto& each : gather_numbers(ranks, {std::bit_cast<std::int64_t>(mine)}))
    most = std::max(most, std::bit_cast<double>(each[0]));
  return most;
}

}  // namespace lacuna

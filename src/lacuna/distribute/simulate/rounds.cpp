#include "lacuna/distribute/simulate/rounds.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>

#include "lacuna/distribute/exchange/numbers.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

class Rounds {
 public:
  Rounds(Communicator& ranks, const std::vector<Phase>& phases) : ranks_(ranks), phases_(phases) {
    for (int k = 0; k < 3; ++k) next();
  }

  /// Of some of them, by phase.
  std::vector<double> medians() {
    constexpr std::size_t least = 11, most = 101;
    constexpr double enough = 0.05;  // seconds
    std::vector<std::vector<double>> seconds(phases_.size());
    double sum = 0;
    while (seconds[0].size() < least || (seconds[0].size() < most && sum < enough)) {
      next();
      for (std::size_t p = 0; p < seconds.size(); ++p) seconds[p].push_back(last_[p]);
      sum += std::accumulate(last_.begin(), last_.end(), 0.0);
    }
    spent_ += sum;
    std::vector<double> medians;
    for (std::vector<double>& each : seconds) {
      std::nth_element(each.begin(), each.begin() + std::ssize(each) / 2, each.end());
      medians.push_back(each[each.size() / 2]);
    }
    return medians;
  }
  double spent() const { return spent_; }

 private:
  /// The time of a rank is told where the ranks meet next, after the phase that follows.
  void next() {
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      if (phases_[p].before) phases_[p].before(round_);
      largest_over(ranks_, 0);
      const Clock::time_point start = Clock::now();
      phases_[p].run(round_);
      last_[p == 0 ? phases_.size() - 1 : p - 1] = largest_over(ranks_, mine_);
      mine_ = std::chrono::duration<double>(Clock::now() - start).count();
    }
    ++round_;
  }

  Communicator& ranks_;
  const std::vector<Phase>& phases_;
  std::vector<double> last_ = std::vector<double>(phases_.size());  // by phase
  int round_ = 0;
  double mine_ = 0, spent_ = 0;
};

double sum_of(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

}  // namespace

double largest_over(Communicator& ranks, double mine) {
  double most = mine;
  for (const auto& each : gather_numbers(ranks, {std::bit_cast<std::int64_t>(mine)}))
    most = std::max(most, std::bit_cast<double>(each[0]));
  return most;
}

std::vector<double> median_times(Communicator& ranks, const std::vector<Phase>& phases) {
  constexpr double no_quicker = 0.97, patience = 0.5;  // seconds
  Rounds rounds(ranks, phases);
  std::vector<double> times = rounds.medians();
  while (rounds.spent() < patience) {
    const double before = sum_of(times);
    times = rounds.medians();
    if (sum_of(times) > no_quicker * before) break;
  }
  return times;
}

}  // namespace lacuna

#include "bench/contest/measure.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>

#include "bench/contest/sum.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_of(const std::function<void()>& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double timed_run(const Contestant& contestant) {
  if (contestant.clear) contestant.clear();
  return milliseconds_of(contestant.run);
}

}  // namespace

std::vector<std::vector<double>> take_turns(const std::vector<Contestant>& contestants, const Effort& effort) {
  const std::size_t count = contestants.size();
  std::vector<std::vector<double>> times(count);
  std::vector<std::size_t> quick(count);
  std::iota(quick.begin(), quick.end(), 0);
  for (std::size_t k = 0; k < count; ++k) times[k] = {timed_run(contestants[k])};
  double fastest = std::numeric_limits<double>::infinity();
  for (const auto& first : times) fastest = std::min(fastest, first[0]);
  std::erase_if(quick, [&](std::size_t k) {
    double& first = times[k][0];
    if (first > effort.patience * fastest)
      first = std::min(first, timed_run(contestants[k]));  // a slow moment, perhaps
    return first > effort.patience * fastest;
  });
  for (const std::size_t k : quick) times[k].clear();
  const Clock::time_point start = Clock::now();
  for (int round = 0; round < effort.most; ++round) {
    if (round >= effort.least && std::chrono::duration<double>(Clock::now() - start).count() > effort.seconds) break;
    for (std::size_t k = 0; k < quick.size(); ++k) {
      const std::size_t turn = quick[(k + static_cast<std::size_t>(round)) % quick.size()];
      times[turn].push_back(timed_run(contestants[turn]));
    }
  }
  return times;
}

Ratio ratio_of_medians(const std::vector<double>& of, const std::vector<double>& to) {
  constexpr int resamples = 2000;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::size_t> pick(0, of.size() - 1);
  std::vector<double> ratios;
  std::vector<double> a(of.size());
  std::vector<double> b(of.size());
  for (int sample = 0; sample < resamples; ++sample) {
    for (std::size_t k = 0; k < of.size(); ++k) {
      const std::size_t round = pick(random);
      a[k] = of[round];
      b[k] = to[round];
    }
    ratios.push_back(tool::median(a) / tool::median(b));
  }
  std::sort(ratios.begin(), ratios.end());
  return {tool::median(of) / tool::median(to), ratios[resamples / 40], ratios[resamples - 1 - resamples / 40]};
}

double read_bandwidth(std::int64_t bytes, int threads) {
  const auto size = static_cast<std::size_t>(bytes) / sizeof(double);
  const std::vector<double> numbers(size, 1.0);
  std::vector<double> times;
  volatile double total = 0;  // keeps the sums
  for (int k = 0; k < 9; ++k) {
    times.push_back(milliseconds_of([&] { total = sum_of(numbers.data(), static_cast<std::int64_t>(size), threads); }));
  }
  return static_cast<double>(bytes) / (tool::median(times) * 1e-3);
}

}  // namespace lacuna::contest

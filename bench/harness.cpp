#include "bench/harness.h"

#include <chrono>

#include <fmt/format.h>

#include "tools/summary.h"

namespace lacuna::bench {

double time_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> alternate(const std::vector<Contestant>& contestants, int rounds) {
  std::vector<std::vector<double>> times(contestants.size());
  for (const Contestant& each : contestants) each.run();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < contestants.size(); ++k) times[k].push_back(contestants[k].run());
  }
  std::vector<double> medians;
  for (const std::vector<double>& each : times) medians.push_back(tool::median(each));
  return medians;
}

void compare(const std::string& title, const std::vector<Contestant>& contestants, int rounds) {
  const std::vector<double> medians = alternate(contestants, rounds);
  fmt::print("{}\n", title);
  for (std::size_t k = 0; k < contestants.size(); ++k) {
    fmt::print("  {:<32} {:>10}", contestants[k].name, tool::time_text(medians[k]));
    if (k > 0) fmt::print("   {:.2f} times as long", medians[k] / medians[0]);
    fmt::print("\n");
  }
}

}  // namespace lacuna::bench

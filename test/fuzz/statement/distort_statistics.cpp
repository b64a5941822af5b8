#include "fuzz/statement/distort_statistics.h"

#include <cstdint>

namespace lacuna::fuzz {

void distort_statistics(Random& random, ScheduleProblem& problem) {
  const auto factor = [&] {
    constexpr std::int64_t powers[] = {0, 1, 20, 400, 8000, 160000};
    return powers[random.weighted({5, 40, 15, 15, 15, 10})];
  };
  for (auto& [name, facts] : problem.operands) {
    const std::int64_t all = factor();
    facts.stored *= all;
    // Levels below have as many times more, at least.
    std::int64_t times = 1;
    for (std::size_t k = 0; k < facts.positions.size(); ++k) {
      if (facts.format.level(static_cast<int>(k)).kind != LevelKind::Dense && random.percent(50)) times = all;
      facts.positions[k] *= times;
    }
    for (std::int64_t& reach : facts.reach)
      if (random.percent(30)) reach = random.between(1, 1000);
  }
  if (random.percent(50)) problem.turns_worth_threads = 0;
}

}  // namespace lacuna::fuzz

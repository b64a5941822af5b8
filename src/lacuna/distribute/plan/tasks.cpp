#include <algorithm>
#include <set>

#include "lacuna/distribute/plan/plan.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

std::vector<const launch::Loop*> distributed_loops(const launch::Launch& launch) {
  std::vector<const launch::Loop*> loops;
  for (const launch::Loop& loop : launch.loops)
    if (loop.distributed) loops.push_back(&loop);
  return loops;
}

/// The dimension of the machine that each loop is dealt to: that which a tensor's place says; of the others in order,
/// those of its length where there are fewer loops. None where that cannot be told.
std::optional<std::vector<std::size_t>> dimensions_of(const launch::Launch& launch,
                                                      const std::vector<const launch::Loop*>& loops,
                                                      const std::vector<std::int64_t>& sizes) {
  std::set<std::size_t> taken;
  for (const auto& each : launch.face) taken.insert(each.first);
  std::size_t others = 0;
  for (const launch::Loop* loop : loops) {
    if (!loop->dimension) ++others;
    else if (!taken.insert(*loop->dimension).second) return std::nullopt;
  }
  const bool one_each = sizes.size() - taken.size() == others;
  std::vector<std::size_t> dimensions;
  std::size_t next = 0;
  for (const launch::Loop* loop : loops) {
    if (loop->dimension) {
      dimensions.push_back(*loop->dimension);
      continue;
    }
    while (next < sizes.size() && (taken.count(next) != 0 || (!one_each && sizes[next] != loop->trips))) ++next;
    if (next == sizes.size()) return std::nullopt;
    dimensions.push_back(next++);
  }
  return dimensions;
}

}  // namespace

Machine machine_of(const launch::Launch& launch) {
  std::vector<std::int64_t> sizes;
  for (const launch::Loop* loop : distributed_loops(launch)) sizes.push_back(std::max<std::int64_t>(1, loop->trips));
  return Machine(std::vector<Grid>{Grid(sizes)});
}

std::vector<Task> make_tasks(const launch::Launch& launch, const Machine& machine) {
  const std::vector<const launch::Loop*> loops = distributed_loops(launch);
  const std::vector<std::int64_t> sizes = machine.sizes();
  const std::optional<std::vector<std::size_t>> dimensions = dimensions_of(launch, loops, sizes);
  std::int64_t points = 1;
  constexpr std::int64_t most = std::int64_t{1} << 24;
  for (const launch::Loop* loop : loops) {
    if (loop->trips > most || points * loop->trips > most)
      user_error("distribute: more than {} iterations are distributed; divide the loops first", most);
    points *= loop->trips;
  }
  std::vector<Task> tasks;
  for (std::int64_t p = 0; p < points; ++p) {
    Task task;
    std::vector<std::int64_t> point(sizes.size());
    for (const auto& [dimension, coordinate] : launch.face) point[dimension] = coordinate;
    std::int64_t rest = p;
    for (std::size_t k = loops.size(); k-- > 0;) {
      const std::int64_t value = rest % loops[k]->trips;
      rest /= loops[k]->trips;
      task.at[loops[k]->variable] = value;
      if (dimensions) point[(*dimensions)[k]] = value % sizes[(*dimensions)[k]];
    }
    task.processor = dimensions ? machine.number(point) : p % machine.processors();
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::int64_t distance(const Machine& machine, std::int64_t a, std::int64_t b) {
  a = machine.memory_of(a);
  b = machine.memory_of(b);
  std::int64_t sum = 0;
  for (int level = machine.levels(); level-- > 0 && a != b;) {
    const Grid& grid = machine.level(level);
    for (int d = grid.dimensions(); d-- > 0 && grid.kind() != ProcessorKind::Thread;) {
      const std::int64_t n = grid.size(d), apart = ((a % n - b % n) % n + n) % n;
      sum += std::min(apart, n - apart);
      a /= n;
      b /= n;
    }
  }
  return sum;
}

std::int64_t nearest(const Machine& machine, const std::vector<std::int64_t>& processors, std::int64_t to) {
  if (std::find(processors.begin(), processors.end(), to) != processors.end()) return to;
  return *std::min_element(processors.begin(), processors.end(), [&](std::int64_t a, std::int64_t b) {
    return distance(machine, a, to) < distance(machine, b, to);
  });
}

}  // namespace lacuna

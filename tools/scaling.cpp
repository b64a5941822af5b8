#include "tools/scaling.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/on_machine.h"
#include "tools/progress.h"
#include "tools/simulation_inputs.h"

namespace lacuna::tool {
namespace {

/// The machine with its outermost grid `times` as long in each dimension.
Machine enlarged(const Machine& machine, std::int64_t times) {
  std::vector<Grid> grids;
  for (int level = 0; level < machine.levels(); ++level) {
    std::vector<std::int64_t> sizes = machine.level(level).sizes();
    if (level == 0)
      for (std::int64_t& size : sizes) size *= times;
    const Grid grid(sizes);
    grids.push_back(machine.level(level).kind() ? grid.of(*machine.level(level).kind()) : grid);
  }
  return Machine(std::move(grids));
}

/// Nothing says how a file's tensor would grow.
void check_grows(const Problem& problem) {
  if (problem.sizes.empty()) throw Error("weak scaling lets sizes grow: give them, as in -d i=512,j=512");
  for (const auto& [name, source] : problem.inputs)
    if (source.text != "dense" && !source.text.starts_with("random:"))
      throw Error(fmt::format("weak scaling lets {} grow, but it has the size of '{}'; make it random:DENSITY or "
                              "dense, or look at strong scaling",
                              name, source.text),
                  {0, source.option.size()}, source.option);
}

int largest_order(const Problem& problem) {
  int order = problem.statement.lhs.tensor.order();
  for (const std::string& name : problem.operands()) order = std::max(order, problem.access_of(name).tensor.order());
  return std::max(1, order);
}

/// As many times as many entries of the largest tensor.
std::int64_t grown(std::int64_t size, double times, int order) {
  return std::llround(static_cast<double>(size) * std::pow(times, 1.0 / order));
}

ScalingPoint simulate_point(const StatementArguments& arguments, const Network& network) {
  const Problem problem = understand(arguments);
  const DistributedRequest request = simulated_request(problem);
  const Simulation simulation = simulate(request, network);
  ScalingPoint point;
  point.machine = simulation.machine.to_string();
  point.processors = simulation.machine.processors();
  point.sizes = problem.sizes;
  point.messages = simulation.fetches.messages + simulation.reductions.messages;
  point.bytes = simulation.fetches.bytes + simulation.reductions.bytes;
  point.memory = simulation.most_memory;
  point.turns = simulation.mean_turns * static_cast<double>(point.processors);
  point.moving = simulation.reducing;
  for (const SimulatedStep& step : simulation.steps) {
    point.moving += step.moving;
    point.computing += step.computing;
  }
  point.seconds = simulation.seconds();
  return point;
}

}  // namespace

double Scaling::efficiency(const ScalingPoint& point) const {
  const auto rate = [](const ScalingPoint& p) { return p.turns / (p.seconds * static_cast<double>(p.processors)); };
  const double first = points.empty() ? 0 : rate(points.front());
  return first > 0 && point.seconds > 0 ? rate(point) / first : 1;
}

Scaling simulate_scaling(const StatementArguments& arguments, bool weak, std::int64_t most_processors,
                         const Network& network) {
  const Problem first = understand(arguments);
  if (!first.machine) throw Error("scaling begins with a machine; add --machine 'Grid(1,1)'");
  if (weak) check_grows(first);
  Scaling scaling{first.statement.text, weak, {}};
  Progress progress("simulating");
  for (std::int64_t times = 1;; times *= 2) {
    const Machine machine = enlarged(*first.machine, times);
    if (machine.processors() > most_processors && times > 1) break;
    StatementArguments larger = arguments;
    larger.machine = machine.to_string();
    if (weak) {
      const double more = static_cast<double>(machine.processors()) / static_cast<double>(first.machine->processors());
      larger.sizes.clear();
      for (const auto& [variable, size] : first.sizes)
        larger.sizes.push_back(fmt::format("{}={}", variable, grown(size, more, largest_order(first))));
    }
    scaling.points.push_back(simulate_point(larger, network));
    progress.update(std::log2(static_cast<double>(machine.processors()) + 1) /
                    std::log2(static_cast<double>(most_processors) + 1));
  }
  return scaling;
}

}  // namespace lacuna::tool

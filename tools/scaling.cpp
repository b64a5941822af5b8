#include "tools/scaling.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/on_machine.h"
#include "tools/progress.h"
#include "tools/simulation_inputs.h"
#include "tools/sources.h"

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

/// How many sizes the entries of an operand grow with, if it grows with the sizes of the statement: those of a file do
/// not, and neither do so many entries, or sizes, that were asked for.
std::optional<int> growing_sizes(const Source& source, int order) {
  const std::optional<GeneratorSpec> spec = parse_generator(source.text);
  if (!spec || !spec->size.empty() || spec->nonzeros) return std::nullopt;
  return spec->kind == GeneratorSpec::Kind::Banded ? 1 : order;
}

int order_of(const Problem& problem, const std::string& name) {
  return name == problem.result() ? problem.statement.lhs.tensor.order() : problem.access_of(name).tensor.order();
}

void check_grows(const Problem& problem) {
  if (problem.sizes.empty()) throw Error("weak scaling lets sizes grow: give them, as in -d i=512,j=512");
  for (const auto& [name, source] : problem.inputs)
    if (!growing_sizes(source, order_of(problem, name)))
      throw Error(fmt::format("weak scaling lets {} grow, but '{}' says how large it is; make it dense, "
                              "random:DENSITY or banded:band=N, or look at strong scaling",
                              name, source.text),
                  {0, source.option.size()}, source.option);
}

/// With how many sizes the entries of the largest tensor grow: with one, of a vector or of a band of constant width.
int most_growing_sizes(const Problem& problem) {
  int most = 1;
  bool has_band = false;
  for (const std::string& name : problem.operands()) {
    const int order = order_of(problem, name);
    const auto source = problem.inputs.find(name);
    const int sizes = source == problem.inputs.end() ? order : growing_sizes(source->second, order).value_or(order);
    has_band = has_band || sizes < order;
    most = std::max(most, sizes);
  }
  // The result of a band is sparse, too.
  return has_band ? most : std::max(most, problem.statement.lhs.tensor.order());
}

/// As many times as many entries of the largest tensor, which grow with so many sizes.
std::int64_t grown(std::int64_t size, double times, int sizes) {
  return std::llround(static_cast<double>(size) * std::pow(times, 1.0 / sizes));
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
        larger.sizes.push_back(fmt::format("{}={}", variable, grown(size, more, most_growing_sizes(first))));
    }
    scaling.points.push_back(simulate_point(larger, network));
    progress.update(std::log2(static_cast<double>(machine.processors()) + 1) /
                    std::log2(static_cast<double>(most_processors) + 1));
  }
  return scaling;
}

}  // namespace lacuna::tool

#include "fuzz/machine/run_on_machine.h"

#include <fmt/format.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/run/prepare.h"
#include "lacuna/distribute/simulate/simulate.h"

namespace lacuna::fuzz {

std::optional<Machine> machine_of(const Problem& problem) {
  if (problem.machine.empty()) return std::nullopt;
  std::vector<Grid> grids;
  for (const std::vector<std::int64_t>& sizes : problem.machine) grids.emplace_back(sizes);
  return Machine(std::move(grids));
}

DistributedRequest on_machine(const Problem& problem, Request request) {
  DistributedRequest out{std::move(request), machine_of(problem), {}};
  if (!out.machine) return out;
  for (const auto& [name, where] : problem.placed)
    out.placed.emplace(name, parse_distribution(where, *out.machine).distribution);
  return out;
}

namespace {

/// Such a result is placed by what it stores, once that is known, which it is not in a simulation.
bool is_moved_in_the_end(const DistributedRequest& request) {
  const auto placed = request.placed.find(request.request.statement.lhs.tensor.name());
  return placed != request.placed.end() && counts_positions(placed->second, array_format_of(result_format_of(request)));
}

}  // namespace

std::optional<std::string> simulated_otherwise(const DistributedRequest& request, const DistributedReport& report) {
  const Simulation simulation = simulate(request, {});
  const auto text = [](const Traffic& t, bool with_bytes) {
    return fmt::format("{} messages{}, {} away", t.messages,
                       with_bytes ? fmt::format(" of {} bytes", t.bytes) : std::string(), t.farthest);
  };
  const auto all = [&](const Traffic& fetches, const Traffic& reductions, std::int64_t tasks, std::int64_t steps) {
    const std::string results = is_moved_in_the_end(request) ? "moved" : text(reductions, simulation.knows_result);
    return fmt::format("operands: {}; results: {}; {} tasks, {} steps", text(fetches, true), results, tasks, steps);
  };
  const std::string simulated =
      all(simulation.fetches, simulation.reductions, simulation.tasks, std::ssize(simulation.steps));
  const std::string executed = all(report.fetches, report.reductions, report.tasks, report.steps);
  if (simulated == executed) return std::nullopt;
  return fmt::format("simulated {}; executed {}", simulated, executed);
}

void MachineCounts::note(const DistributedReport& report) {
  ++runs;
  several_tasks += report.tasks > 1 ? 1 : 0;
  several_steps += report.steps > 1 ? 1 : 0;
  fetched += report.fetches.messages > 0 ? 1 : 0;
  reduced += report.reductions.messages > 0 ? 1 : 0;
}

std::string MachineCounts::to_string() const {
  return fmt::format(
      "{} on machines: {} of several tasks, {} of several steps, {} fetched something, {} sent results; all simulated "
      "alike",
      runs, several_tasks, several_steps, fetched, reduced);
}

}  // namespace lacuna::fuzz

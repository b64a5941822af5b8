#include "lacuna/distribute/run/local_request.h"

#include <set>

#include "lacuna/tensor/build.h"

namespace lacuna {
namespace {

/// The values of a variable that a task has in a step.
IndexSet values_of(const LaunchPlan& plan, const std::string& variable, const Task& task, const LaunchStep& step) {
  return plan.used_of({"", "", {IndexVar(variable)}, 0}, task, step)[0];
}

/// The coordinates in the whole, where a variable's value is used.
void add_values(Request& local, const LaunchPlan& plan, const Task& task, const LaunchStep& step) {
  for (const auto& [variable, name] : plan.launch.coordinate_names) {
    const IndexSet set = values_of(plan, variable, task, step);
    std::vector<std::int64_t> coordinates;
    set.for_each_interval([&](const Interval& run) {
      for (std::int64_t c = run.begin; c < run.end; ++c) coordinates.push_back(c);
    });
    local.operands[name] = adopt_dense({set.size()}, Array::of<std::int64_t>(coordinates), LevelMap::identity(1));
  }
}

/// Variables that no operand bounds.
void add_sizes(Request& local, const LaunchPlan& plan, const Task& task, const LaunchStep& step) {
  std::set<std::string> bound;
  for (const Access& access : accesses(local.statement.rhs))
    for (const IndexVar& v : access.indices) bound.insert(v.name());
  std::set<std::string> used;
  for (const IndexVar& v : all_variables(local.statement)) used.insert(v.name());
  for (const auto& [variable, name] : plan.launch.local_names) {
    if (bound.count(name) != 0 || used.count(name) == 0) continue;
    local.sizes[name] = values_of(plan, variable, task, step).size();
  }
}

}  // namespace

Request local_request(const PreparedLaunch& prepared, const Task& task, const LaunchStep& step,
                      const OperandPart& operand) {
  const LaunchPlan& plan = prepared.plan;
  const launch::Launch& launch = plan.launch;
  Request local{*launch.local_statement(plan.at(task, step)),
                {},
                prepared.local_format(),
                prepared.sum_type,
                {},
                launch.local_schedule};
  for (std::size_t o = 0; o < launch.operands.size(); ++o)
    local.operands[launch.operands[o].name] = operand(o, plan.used_of(launch.operands[o], task, step));
  add_values(local, plan, task, step);
  add_sizes(local, plan, task, step);
  return local;
}

void check_local_schedule(Engine& engine, const PreparedLaunch& prepared, const Communicator& ranks,
                          const Options& options) {
  const LaunchPlan& plan = prepared.plan;
  if (plan.launch.local_schedule.empty()) return;
  const auto nothing = [&](std::size_t o, const std::vector<IndexSet>& region) {
    const PartShape& shape = prepared.tensor(o).shape();
    std::vector<std::int64_t> dimensions;
    for (const IndexSet& set : region) dimensions.push_back(set.size());
    return empty_tensor(shape.type, dimensions, shape.format);
  };
  std::set<std::string> checked;  // tasks compute different statements where some terms count only for some of them
  for (const Task& task : plan.tasks) {
    if (rank_of(plan, task.processor, ranks) != ranks.rank()) continue;
    for (const LaunchStep& step : plan.steps) {
      if (!plan.contributes(task, step)) continue;
      const Request local = local_request(prepared, task, step, nothing);
      if (checked.insert(local.statement.text).second) engine.prepare(local, options);
    }
  }
}

}  // namespace lacuna

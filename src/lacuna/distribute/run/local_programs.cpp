#include "lacuna/distribute/run/local_programs.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/plan/print.h"
#include "lacuna/distribute/run/local_request.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/unbacked.h"

namespace lacuna {
namespace {

/// A program, and who computes it.
struct FoundProgram {
  Request request;
  std::vector<std::int64_t> processors;
};

std::vector<FoundProgram> find_programs(const PreparedLaunch& prepared) {
  const LaunchPlan& plan = prepared.plan;
  const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>& region) {
    const PartShape& shape = prepared.tensor(o).shape();
    const Restriction used{region, std::vector<std::optional<IndexSet>>(region.size())};
    if (!shape.format.is_dense()) return local_part(prepared.tensor(o).whole(), used).storage;
    std::vector<std::int64_t> dimensions;
    for (const IndexSet& set : region) dimensions.push_back(set.size());
    return unbacked_tensor(shape.type, dimensions, shape.format.map());
  };
  std::vector<FoundProgram> found;
  for (const Task& task : plan.tasks) {
    for (const LaunchStep& step : plan.steps) {
      if (!plan.contributes(task, step)) continue;
      const std::string text = to_string(*plan.launch.local_statement(plan.at(task, step)));
      const auto same = std::find_if(found.begin(), found.end(), [&](const FoundProgram& each) {
        return to_string(each.request.statement) == text;
      });
      if (same == found.end()) {
        found.push_back({local_request(prepared, task, step, part), {task.processor}});
        continue;
      }
      std::vector<std::int64_t>& processors = same->processors;
      if (std::find(processors.begin(), processors.end(), task.processor) == processors.end())
        processors.push_back(task.processor);
    }
  }
  return found;
}

}  // namespace

std::vector<LocalProgram> local_programs(const DistributedRequest& request) {
  const std::unique_ptr<Communicator> planner = nobody();
  const PreparedLaunch prepared = prepare_launch(request, *planner);
  std::vector<LocalProgram> programs;
  for (FoundProgram& found : find_programs(prepared)) {
    const std::string first = processor_text(prepared.plan.machine, found.processors.front());
    const std::size_t others = found.processors.size() - 1;
    programs.push_back({others == 0 ? first : fmt::format("{} and {} other{}", first, others, others == 1 ? "" : "s"),
                        std::move(found.request)});
  }
  return programs;
}

}  // namespace lacuna

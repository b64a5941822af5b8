#include "lacuna/distribute/simulate/turns.h"

#include <algorithm>

#include "lacuna/notation/check.h"

namespace lacuna {
namespace {

bool reads(const Expr& e, const launch::Operand& operand) {
  const std::vector<Access> all = accesses(e);
  return std::any_of(all.begin(), all.end(), [&](const Access& a) {
    return a.tensor.name() == operand.tensor && a.indices == operand.indices;
  });
}

}  // namespace

double turns_of(const PreparedLaunch& prepared, const LaunchStep& step, std::size_t t,
                const std::vector<std::int64_t>& entries) {
  const LaunchPlan& plan = prepared.plan;
  const Task& task = plan.tasks[t];
  double sum = 0;
  for (const Term& term : terms_of(plan.launch.statement)) {
    double volume = 1, density = 1;
    for (const IndexVar& v : all_variables({{TensorVar(), {}}, false, term.expr, ""}))
      volume *= static_cast<double>(plan.used_of({"", "", {v}, 0}, task, step)[0].size());
    for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
      const launch::Operand& operand = plan.launch.operands[o];
      if (prepared.tensor(o).shape().format.is_dense() || !reads(term.expr, operand)) continue;
      const auto region = static_cast<double>(volume_of(plan.region_of(operand, task, step)));
      if (region > 0) density = std::min(density, static_cast<double>(entries[o]) / region);
    }
    sum += volume * density;
  }
  return sum;
}

}  // namespace lacuna

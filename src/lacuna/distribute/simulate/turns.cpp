#include "lacuna/distribute/simulate/turns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "lacuna/notation/check.h"

namespace lacuna {
namespace {

/// The share of coordinates at which all sparse factors of a product store something: under the same variables, where
/// the sparsest does; factors under others are taken for independent of them.
class Density {
 public:
  void add(const launch::Operand& operand, double share) {
    std::set<std::string> variables;
    for (const IndexVar& v : operand.indices) variables.insert(v.name());
    const auto [known, is_first] = shares_.try_emplace(variables, share);
    if (!is_first) known->second = std::min(known->second, share);
  }
  double share() const {
    double product = 1;
    for (const auto& [variables, share] : shares_) product *= std::min(share, 1.0);
    return product;
  }

 private:
  std::map<std::set<std::string>, double> shares_;
};

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
    double volume = 1;
    Density density;
    for (const IndexVar& v : all_variables(term.expr))
      volume *= static_cast<double>(plan.used_of({"", "", {v}, 0}, task, step)[0].size());
    for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
      const launch::Operand& operand = plan.launch.operands[o];
      if (prepared.tensor(o).shape().format.is_dense() || !reads(term.expr, operand)) continue;
      const auto region = static_cast<double>(volume_of(plan.region_of(operand, task, step)));
      if (region > 0) density.add(operand, static_cast<double>(entries[o]) / region);
    }
    sum += volume * density.share();
  }
  return sum;
}

namespace {

/// Where a product is not zero, in a region of the result: the share of its coordinates.
double density_of(const PreparedLaunch& prepared, PartSizes& sizes, const Task& task, const Term& term,
                  const std::vector<IndexSet>& region) {
  const LaunchPlan& plan = prepared.plan;
  double turns = 1;
  Density density, summed;
  for (const IndexVar& v : term.sums)
    turns *= static_cast<double>(plan.used_of({"", "", {v}, 0}, task, plan.steps.front())[0].size());
  for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
    const launch::Operand& operand = plan.launch.operands[o];
    if (prepared.tensor(o).shape().format.is_dense() || !reads(term.expr, operand)) continue;
    std::vector<IndexSet> what = plan.used_of(operand, task, plan.steps.front());
    bool is_summed = false;
    for (std::size_t m = 0; m < operand.indices.size(); ++m) {
      const auto mode = launch::place_of(plan.launch.result.indices, operand.indices[m].name());
      if (mode) what[m] = region[*mode];
      else is_summed = true;
    }
    const auto volume = static_cast<double>(volume_of(what));
    const double stored = volume > 0 ? static_cast<double>(sizes.of(o, what).entries) / volume : 0;
    (is_summed ? summed : density).add(operand, stored);
  }
  const double each = summed.share();
  return density.share() * (each < 1 ? 1 - std::pow(1 - each, turns) : 1);
}

}  // namespace

double entries_of_result(const PreparedLaunch& prepared, PartSizes& sizes, std::size_t t,
                         const std::vector<IndexSet>& region) {
  double density = 0;
  for (const Term& term : terms_of(prepared.plan.launch.statement))
    density += density_of(prepared, sizes, prepared.plan.tasks[t], term, region);
  return std::min(density, 1.0) * static_cast<double>(volume_of(region));
}

}  // namespace lacuna

#include "lacuna/distribute/plan/fetchers.h"

#include <algorithm>
#include <map>

#include "lacuna/distribute/plan/holders.h"

namespace lacuna {
namespace {

using Region = std::vector<IndexSet>;

/// Of one operand.
class Sharing {
 public:
  Sharing(const LaunchPlan& plan, const std::vector<LaunchStep>& steps, const launch::Operand& operand)
      : plan_(plan), steps_(steps), operand_(operand), fetchers_(plan.tasks.size()), firsts_(plan.tasks.size()) {}

  std::vector<Fetcher> run() {
    std::map<std::int64_t, Holders> fetching;  // by memory: those that fetch there
    for (std::size_t t = 0; t < fetchers_.size(); ++t) {
      Holders& beside = fetching[plan_.machine.memory_of(plan_.tasks[t].processor)];
      fetchers_[t].task = t;
      firsts_[t] = region(t, steps_.front());
      beside.for_each(firsts_[t], [&](std::int64_t fetcher) {
        const auto f = static_cast<std::size_t>(fetcher);
        if (fetchers_[t].task == t && needs_the_same(t, f)) fetchers_[t].task = f;
      });
      if (fetchers_[t].task != t) ++fetchers_[fetchers_[t].task].tasks;
      else beside.add(&firsts_[t], static_cast<std::int64_t>(t));
    }
    for (Fetcher& each : fetchers_) each.tasks = fetchers_[each.task].tasks;
    return std::move(fetchers_);
  }

 private:
  Region region(std::size_t t, const LaunchStep& step) const { return plan_.region_of(operand_, plan_.tasks[t], step); }
  bool needs_the_same(std::size_t a, std::size_t b) const {
    return std::all_of(steps_.begin() + 1, steps_.end(),
                       [&](const LaunchStep& step) { return region(a, step) == region(b, step); });
  }

  const LaunchPlan& plan_;
  const std::vector<LaunchStep>& steps_;
  const launch::Operand& operand_;
  std::vector<Fetcher> fetchers_;
  std::vector<Region> firsts_;  // by task: what it needs in the first step
};

std::vector<Fetcher> each_for_itself(std::size_t tasks) {
  std::vector<Fetcher> all(tasks);
  for (std::size_t t = 0; t < tasks; ++t) all[t].task = t;
  return all;
}

/// Whether some tasks are in one memory.
bool have_company(const LaunchPlan& plan) {
  std::vector<bool> taken(static_cast<std::size_t>(plan.machine.memories()));
  for (const Task& task : plan.tasks) {
    const auto memory = static_cast<std::size_t>(plan.machine.memory_of(task.processor));
    if (taken[memory]) return true;
    taken[memory] = true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<Fetcher>> fetchers_of(const LaunchPlan& plan, const std::vector<LaunchStep>& steps) {
  std::vector<std::vector<Fetcher>> all;
  const bool may_share = !steps.empty() && have_company(plan);
  for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
    if (may_share && !plan.launch.deals_out(o)) all.push_back(Sharing(plan, steps, plan.launch.operands[o]).run());
    else all.push_back(each_for_itself(plan.tasks.size()));
  }
  return all;
}

}  // namespace lacuna

#include "lacuna/explain/alternatives.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/explain/reasons.h"
#include "lacuna/explain/words.h"
#include "lacuna/schedule/automatic/automatic.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/support/quantity_text.h"

namespace lacuna {
namespace {

constexpr std::size_t most_variables = 4;
constexpr std::size_t most_told = 3;

using Order = std::vector<std::string>;

struct Alternative {
  Order order;
  double turns = 0;
  Work work;
  std::vector<std::string> strided;  // tensors through which the innermost loop leaps
  double bytes() const { return work.bytes_read + work.bytes_written; }
  /// Only what to tell depends on it, not what is chosen.
  double cost() const { return bytes() + work.operations + turns * (1 + 8 * static_cast<double>(strided.size())); }
};

/// The tensors whose neighbouring values a loop over this variable does not come to one after the other.
std::vector<std::string> strided_by(const concrete::Program& program, const std::string& variable) {
  std::vector<std::string> names;
  const auto look_at = [&](const Access& access) {
    const std::vector<IndexVar> levels = tree::level_variables(program, access);
    const auto is_it = [&](const IndexVar& v) { return v.name() == variable; };
    const std::string& name = access.tensor.name();
    if (levels.empty() || is_it(levels.back()) || std::none_of(levels.begin(), levels.end(), is_it)) return;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  tree::each_assignment(program.root, [&](const concrete::Assign& a, const auto&) {
    for (const Access& access : accesses(a.rhs))
      if (program.at(access.tensor).role == concrete::Role::Operand) look_at(access);
    if (a.target.tensor == program.result().var) look_at(a.target);
  });
  return names;
}

/// The order with what it costs, or, in `refusal`, why it is none.
std::optional<Alternative> try_order(const Order& order, const ScheduleProblem& problem, const cost::Counts& counts,
                                     std::string& refusal) {
  Schedule schedule;
  schedule.directives.push_back({directive::Reorder{order}, {}});
  try {
    const Scheduled scheduled = schedule_as_asked(problem, schedule);
    cost::Counts all = counts;
    for (auto& [name, count] : cost::count_operands(scheduled, problem)) all.emplace(name, count);
    const cost::Estimate e = cost::estimate(scheduled.program, iteration::analyze(scheduled.program), all);
    Alternative a{order, 0, e.total, strided_by(scheduled.program, order.back())};
    for (const cost::LoopEstimate& l : e.loops) a.turns += l.trips;
    return a;
  } catch (const Refused& refused) {
    refusal = refused.refusal().reason;
    return std::nullopt;
  }
}

/// The variables of the statement that have loops.
Order chosen_order(const Scheduled& scheduled) {
  Order order;
  for (const IndexVar& v : running_order(iteration::analyze(scheduled.program)))
    if (scheduled.program.extents.count(v) > 0) order.push_back(v.name());
  return order;
}

std::string compared(const Alternative& other, const Alternative& now) {
  std::string text =
      fmt::format("{} iterations, {} operations, {} read and written, where those chosen have {}, {} and {}",
                  number_text(other.turns), number_text(other.work.operations), bytes_text(other.bytes()),
                  number_text(now.turns), number_text(now.work.operations), bytes_text(now.bytes()));
  if (!other.strided.empty()) text += fmt::format("; the innermost strides through {}", listed(other.strided));
  return text;
}

}  // namespace

std::vector<Reason> alternatives_of(const Scheduled& scheduled, const ScheduleProblem& problem,
                                    const cost::Counts& counts) {
  std::vector<Reason> reasons;
  const Order chosen = chosen_order(scheduled);
  if (chosen.size() < 2 || chosen.size() > most_variables) return reasons;
  std::string refusal;
  const std::optional<Alternative> now = try_order(chosen, problem, counts, refusal);
  if (!now) return reasons;
  std::vector<Alternative> others;
  std::vector<std::pair<std::string, int>> refused;  // reasons, and how many orders each rules out
  Order order = chosen;
  std::sort(order.begin(), order.end());
  do {
    if (order == chosen) continue;
    if (std::optional<Alternative> a = try_order(order, problem, counts, refusal)) {
      others.push_back(std::move(*a));
      continue;
    }
    const auto same = [&](const auto& told) { return told.first == refusal; };
    const auto told = std::find_if(refused.begin(), refused.end(), same);
    if (told == refused.end()) refused.emplace_back(refusal, 1);
    else ++told->second;
  } while (std::next_permutation(order.begin(), order.end()));
  std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.cost() < b.cost(); });
  for (std::size_t n = 0; n < std::min(others.size(), most_told); ++n)
    reasons.push_back({fmt::format("not {}", fmt::join(others[n].order, ", ")), compared(others[n], *now)});
  for (const auto& [reason, orders] : refused)
    reasons.push_back({fmt::format("{} other order{}", orders, orders == 1 ? "" : "s"), reason});
  return reasons;
}

}  // namespace lacuna

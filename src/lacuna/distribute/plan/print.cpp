#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/distribute/plan/plan.h"
#include "lacuna/distribute/plan/print.h"
#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

/// "{0-3, 7}"; of a set in many pieces, the first of them and how many numbers there are.
std::string set_text(const IndexSet& set) {
  constexpr std::int64_t most = 4;
  if (set.stretches() <= most) return set.to_string();
  std::vector<Interval> first;
  set.for_each_interval([&](const Interval& run) {
    if (std::ssize(first) < most - 1) first.push_back(run);
  });
  std::string text = IndexSet::of_intervals(first).to_string();
  text.pop_back();
  return fmt::format("{}, …: {} in all}}", text, set.size());
}

std::string region_text(const Restriction& what) {
  std::vector<std::string> sets;
  for (const IndexSet& set : what.coordinates) sets.push_back(set_text(set));
  std::string text = fmt::format("{}", fmt::join(sets, " x "));
  for (const auto& positions : what.positions)
    if (positions) text += fmt::format(" at {}", set_text(*positions));
  for (const Stretch& s : what.stretches)
    text += fmt::format(" from ({}) to ({})", fmt::join(s.first, ","), fmt::join(s.last, ","));
  return text;
}

}  // namespace

std::string processor_text(const Machine& machine, std::int64_t processor) {
  return fmt::format("({})", fmt::join(machine.point(processor), ","));
}

std::string region_text(const std::vector<IndexSet>& region) { return region_text(Restriction{region, {}}); }

namespace {

std::string values_text(const launch::Launch& launch, const launch::Values& at) {
  std::vector<std::string> texts;
  for (const launch::Loop& loop : launch.loops) {
    const auto value = at.find(loop.variable);
    if (value != at.end()) texts.push_back(fmt::format("{} = {}", loop.variable, value->second));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string LaunchPlan::to_string(std::size_t lines) const {
  std::string out;
  std::string indent;
  for (const launch::Loop& loop : launch.loops) {
    std::vector<std::string> fetched;
    const auto depth = static_cast<int>(indent.size() / 2 + 1);
    for (const launch::Operand& operand : launch.operands)
      if (operand.depth == depth) fetched.push_back(operand.name);
    out += fmt::format("{}forall {}  ({} {}{})\n", indent, loop.variable, loop.trips,
                       loop.distributed ? "processors" : "steps",
                       fetched.empty() ? "" : fmt::format(", communicate {}", fmt::join(fetched, ", ")));
    indent += "  ";
  }
  std::optional<Statement> local;
  if (!steps.empty() && !tasks.empty()) local = launch.local_statement(at(tasks.front(), steps.front()));
  out += fmt::format("{}{}", indent, local ? local->text : "nothing");
  if (!launch.local_schedule.empty()) out += fmt::format("  ({})", launch.local_schedule.text);
  out += "\n";
  for (const LaunchStep& step : steps) {
    if (step.only_moves) out += "broadcasts\n";
    else out += step.at.empty() ? "in one step\n" : fmt::format("{}\n", values_text(launch, step.at));
    std::size_t shown = 0, moved = 0;
    for (const Transfer& transfer : step.transfers) {
      const auto t = static_cast<std::size_t>(transfer.task), o = static_cast<std::size_t>(transfer.operand);
      const std::int64_t to = tasks[t].processor, together = fetchers[o][t].tasks;
      if (transfer.from == to) continue;
      if (++moved > lines) continue;
      ++shown;
      out += fmt::format("  {} gets {} {} from {}{}\n", processor_text(machine, to), launch.operands[o].name,
                         region_text(transfer.what), processor_text(machine, transfer.from),
                         together > 1 ? fmt::format(", for {} tasks", together) : "");
    }
    if (moved == 0) out += "  nothing moves\n";
    if (moved > shown) out += fmt::format("  … {} transfers in all\n", moved);
  }
  return out;
}

}  // namespace lacuna

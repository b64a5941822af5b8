#include "lacuna/distribute/run/in_place.h"

#include <algorithm>

namespace lacuna {
namespace {

/// How much of the parts has to be needed. Those that others cannot read yet are copied once a run, in whole; and where
/// less than a cache line belongs together, what is brought together is found faster than what lies here and there.
double least_share(const PartShape& shape, const std::vector<std::int64_t>& dimensions) {
  constexpr std::int64_t line = 64;
  std::int64_t bytes = size_of(shape.type);  // under a coordinate of the outermost level
  for (int k = 1; k < shape.format.order(); ++k)
    bytes = std::min(line, bytes * std::min(line, dimensions[static_cast<std::size_t>(shape.format.map().mode_of(k))]));
  return bytes >= line ? 0.25 : 0.875;
}

}  // namespace

InPlace::InPlace(const Communicator& ranks)
    : ranks_(ranks.ranks()), from_([&ranks](int other) { return ranks.in_place_from(other); }) {}

bool InPlace::may_serve(const PreparedLaunch& prepared, const std::vector<const Transfer*>& fetched) const {
  if (ranks_ == 1 || fetched.empty()) return false;
  const LaunchPlan& plan = prepared.plan;
  const auto o = static_cast<std::size_t>(fetched[0]->operand), task = static_cast<std::size_t>(fetched[0]->task);
  const PartShape& shape = prepared.tensor(o).shape();
  // Other tasks that use what is fetched would have to agree that they read it so.
  if (!shape.format.is_dense() || plan.launch.deals_out(o) || !plan.fetches_alone(o, task)) return false;
  const int to = rank_of(plan.tasks[task].processor, plan.machine, ranks_);
  std::int64_t needed = 0, there = 0, least = 0;
  for (const Transfer* transfer : fetched) {
    const int from = rank_of(transfer->from, plan.machine, ranks_);
    const std::optional<std::int64_t> one = from_(from), other = from_(to);
    if (!one || !other) return false;
    if (from == to) continue;
    least = std::max(*one, *other);
    needed += volume_of(transfer->what.coordinates);
    there += volume_of(plan.placements[o].parts[static_cast<std::size_t>(transfer->part.value())].what.coordinates);
  }
  return needed > 0 && needed * size_of(shape.type) >= least &&
         static_cast<double>(needed) >=
             least_share(shape, prepared.tensor(o).dimensions()) * static_cast<double>(there);
}

std::map<std::size_t, std::vector<const Transfer*>> transfers_of(const LaunchPlan& plan, std::size_t operand) {
  std::map<std::size_t, std::vector<const Transfer*>> by_task;
  for (const Transfer& transfer : plan.steps.front().transfers)
    if (static_cast<std::size_t>(transfer.operand) == operand)
      by_task[static_cast<std::size_t>(transfer.task)].push_back(&transfer);
  return by_task;
}

}  // namespace lacuna

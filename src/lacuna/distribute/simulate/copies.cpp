#include "lacuna/distribute/simulate/copies.h"

#include <algorithm>

#include "lacuna/distribute/execute/stepped_launch.h"
#include "lacuna/distribute/part/dense_copy.h"

namespace lacuna {
namespace {

/// Of a message that is cut out of one dense part, and put into another.
Copies copies_of(const DenseCopy& out, const DenseCopy& in) {
  return {out.stretch_from() ? 0 : 1, in.stretch_to() ? 0 : 1};
}

}  // namespace

CopyCounter::CopyCounter(const PreparedLaunch& prepared, PartSizes& sizes, bool again)
    : prepared_(prepared), sizes_(sizes), is_stepped_(again && SteppedLaunch::can_run(prepared)) {}

const TaskPieces& CopyCounter::pieces(std::size_t task) {
  const auto known = pieces_.find(task);
  return known != pieces_.end() ? known->second : pieces_.emplace(task, pieces_of(prepared_, task)).first->second;
}

const std::vector<IndexSet>& CopyCounter::part_of(const Transfer& transfer) const {
  const auto o = static_cast<std::size_t>(transfer.operand);
  return prepared_.plan.placements[o].parts[static_cast<std::size_t>(*transfer.part)].what.coordinates;
}

Copies CopyCounter::of(const Transfer& transfer, const LaunchStep& step, bool is_here) {
  if (is_stepped_) return in_steps(transfer, step, is_here);
  if (!is_one_step()) return {1, 2};
  const auto o = static_cast<std::size_t>(transfer.operand);
  const Task& task = prepared_.plan.tasks[static_cast<std::size_t>(transfer.task)];
  const OperandSource& source = pieces(static_cast<std::size_t>(transfer.task)).pieces.front().sources[o];
  if (source.kind == OperandSource::Kind::Part && transfer.from == task.processor) return {};
  if (source.kind != OperandSource::Kind::Gathered) return of_dense(transfer, is_here);
  const bool is_whole = transfer.part && part_of(transfer) == transfer.what.coordinates;
  return is_here ? Copies{0, 1} : Copies{is_whole ? 0 : 1, 1};
}

Copies CopyCounter::in_steps(const Transfer& transfer, const LaunchStep& step, bool is_here) const {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const Task& task = prepared_.plan.tasks[static_cast<std::size_t>(transfer.task)];
  const std::vector<IndexSet>& what = transfer.what.coordinates;
  const std::vector<IndexSet>& lies = transfer.part ? part_of(transfer) : what;
  const std::vector<IndexSet> region = prepared_.plan.region_of(prepared_.plan.launch.operands[o], task, step);
  if (transfer.part && transfer.from == task.processor && lies == region) return {};
  if (is_here) return {0, 1};
  if (!is_dense(o)) return {what == lies ? 0 : 1, 1};
  const PartShape& shape = prepared_.tensor(o).shape();
  const DenseCopy out(lies, what, what, shape.format, shape.type);
  const DenseCopy in(what, region, common(what, region), shape.format, shape.type);
  return copies_of(out, in);
}

Copies CopyCounter::of_dense(const Transfer& transfer, bool is_here) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const std::map<std::size_t, std::vector<IndexSet>>& all = pieces(static_cast<std::size_t>(transfer.task)).brought;
  const auto brought = all.find(o);
  if (is_here || !transfer.part || brought == all.end()) return {0, is_here ? 1 : 0};
  const PartShape& shape = prepared_.tensor(o).shape();
  const std::vector<IndexSet>& what = transfer.what.coordinates;
  const DenseCopy out(part_of(transfer), what, what, shape.format, shape.type);
  const DenseCopy in(what, brought->second, common(what, brought->second), shape.format, shape.type);
  return copies_of(out, in);
}

Copies CopyCounter::of(const ResultRoute& route) const {
  if (route.stays_as_it_is()) return {};
  if (!route.is_sent()) return {0, 1};
  const ReductionPlan& reduction = prepared_.reduction;
  const std::vector<IndexSet>& part = reduction.owners.parts[route.part].what.coordinates;
  const std::vector<IndexSet>& contribution = reduction.contributions[route.contribution].region;
  const std::vector<IndexSet> what = region_of(prepared_, route);
  const bool is_dense = prepared_.local_format().is_dense();
  const auto is_stretch = [&](const std::vector<IndexSet>& whole) {
    return is_dense
               ? DenseCopy(whole, what, what, prepared_.local_format(), prepared_.sum_type).stretch_from().has_value()
               : whole == what;
  };
  return {is_stretch(contribution) ? 0 : 1, !reduction.adds && is_stretch(part) ? 0 : 1};
}

std::int64_t CopyCounter::within(std::size_t t, const LaunchStep& step) {
  if (is_one_step()) return within_pieces(t);
  if (!is_stepped_) return 0;
  const LaunchPlan& plan = prepared_.plan;
  const Task& task = plan.tasks[t];
  std::int64_t bytes = 0;
  for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
    const std::vector<IndexSet> used = plan.used_of(plan.launch.operands[o], task, step);
    if (used == plan.region_of(plan.launch.operands[o], task, step)) continue;
    bytes += sizes_.of(o, {used, std::vector<std::optional<IndexSet>>(used.size())}).values;
  }
  const bool adds = &step != &plan.steps.front();
  return bytes + (adds ? volume_of(plan.used_of(plan.launch.result, task, step)) * size_of(prepared_.sum_type) : 0);
}

std::int64_t CopyCounter::within_pieces(std::size_t t) {
  const LaunchPlan& plan = prepared_.plan;
  const std::vector<Piece>& all = pieces(t).pieces;
  std::int64_t bytes = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::int64_t entries = 0;
    for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
      const OperandSource& source = all[k].sources[o];
      if (is_dense(o) || source.kind != OperandSource::Kind::Part) continue;
      const std::vector<IndexSet> used = plan.used_of(plan.launch.operands[o], all[k].task, plan.steps.front());
      const std::vector<IndexSet>& part =
          plan.placements[o].parts[static_cast<std::size_t>(source.part)].what.coordinates;
      if (used == part) continue;
      const PartSize size = sizes_.of(o, {used, std::vector<std::optional<IndexSet>>(used.size())});
      bytes += size.values;
      entries += size.entries;
    }
    if (k == 0) continue;
    const std::int64_t volume = volume_of(plan.used_of(plan.launch.result, all[k].task, plan.steps.front()));
    bytes += std::min(volume, entries) * size_of(prepared_.sum_type);
  }
  return bytes;
}

}  // namespace lacuna

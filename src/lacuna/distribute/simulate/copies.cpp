#include "lacuna/distribute/simulate/copies.h"

#include <algorithm>

#include "lacuna/distribute/execute/stepped_launch.h"
#include "lacuna/distribute/part/dense_copy.h"

namespace lacuna {
namespace {

/// Of a message that is cut out of one dense part, and put into another.
Copies copies_of(const DenseCopy& out, const DenseCopy& in) {
  return {out.stretch_from() ? 0 : 1, in.stretch_to() ? 0 : 1, std::max(out.stretches(), in.stretches())};
}

/// Of what is copied from one dense part into another of the same rank.
Copies copies_of(const DenseCopy& within) { return {0, 1, within.stretches()}; }

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
  if (!is_dense(o)) return {is_here || what == lies ? 0 : 1, 1};
  const PartShape& shape = prepared_.tensor(o).shape();
  if (is_here) return copies_of(DenseCopy(lies, region, common(what, region), shape.format, shape.type));
  const DenseCopy out(lies, what, what, shape.format, shape.type);
  const DenseCopy in(what, region, common(what, region), shape.format, shape.type);
  return copies_of(out, in);
}

Copies CopyCounter::of_dense(const Transfer& transfer, bool is_here) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const std::map<std::size_t, std::vector<IndexSet>>& all = pieces(static_cast<std::size_t>(transfer.task)).brought;
  const auto brought = all.find(o);
  if (!transfer.part || brought == all.end()) return {0, is_here ? 1 : 0};
  const PartShape& shape = prepared_.tensor(o).shape();
  const std::vector<IndexSet>&what = transfer.what.coordinates, &lies = part_of(transfer);
  if (is_here)
    return copies_of(DenseCopy(lies, brought->second, common(what, brought->second), shape.format, shape.type));
  const DenseCopy out(lies, what, what, shape.format, shape.type);
  const DenseCopy in(what, brought->second, common(what, brought->second), shape.format, shape.type);
  return copies_of(out, in);
}

Copies CopyCounter::of(const ResultRoute& route) const {
  if (route.stays_as_it_is()) return {};
  const ReductionPlan& reduction = prepared_.reduction;
  const std::vector<IndexSet>& part = reduction.owners.parts[route.part].what.coordinates;
  const std::vector<IndexSet>& contribution = reduction.contributions[route.contribution].region;
  const std::vector<IndexSet> what = region_of(prepared_, route);
  const Format format = prepared_.local_format();
  const bool adds = reduction.adds;
  if (!format.is_dense())
    return {route.is_sent() && contribution != what ? 1 : 0, !route.is_sent() || adds || part != what ? 1 : 0};
  if (!route.is_sent()) return copies_of(DenseCopy(contribution, part, what, format, prepared_.sum_type));
  Copies copies = copies_of(DenseCopy(contribution, what, what, format, prepared_.sum_type),
                            DenseCopy(what, part, what, format, prepared_.sum_type));
  if (adds) copies.after = 1;
  return copies;
}

void CopyCounter::within(std::size_t t, const LaunchStep& step, const OwnCopyHook& f) {
  if (is_one_step()) return within_pieces(t, f);
  if (!is_stepped_) return;
  const LaunchPlan& plan = prepared_.plan;
  const Task& task = plan.tasks[t];
  for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
    const std::vector<IndexSet> used = plan.used_of(plan.launch.operands[o], task, step);
    const std::vector<IndexSet> region = plan.region_of(plan.launch.operands[o], task, step);
    if (used == region) continue;
    const PartShape& shape = prepared_.tensor(o).shape();
    if (is_dense(o)) {
      const DenseCopy copy(region, used, used, shape.format, shape.type);
      f(copy.bytes(), copies_of(copy));
    } else {
      f(sizes_.of(o, {used, std::vector<std::optional<IndexSet>>(used.size())}).values, {0, 1});
    }
  }
  if (&step != &plan.steps.front())
    f(volume_of(plan.used_of(plan.launch.result, task, step)) * size_of(prepared_.sum_type), {0, 1, 1});
}

void CopyCounter::within_pieces(std::size_t t, const OwnCopyHook& f) {
  const LaunchPlan& plan = prepared_.plan;
  const std::vector<Piece>& all = pieces(t).pieces;
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
      f(size.values, {0, 1});
      entries += size.entries;
    }
    if (k == 0) continue;
    const std::int64_t volume = volume_of(plan.used_of(plan.launch.result, all[k].task, plan.steps.front()));
    f(std::min(volume, entries) * size_of(prepared_.sum_type), {0, 1, volume <= entries ? 1 : 0});
  }
}

}  // namespace lacuna

#include "lacuna/distribute/simulate/copies.h"

#include <algorithm>

#include "lacuna/distribute/execute/stepped_launch.h"
#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/part/dense_view.h"
#include "lacuna/distribute/partition/level_sets.h"

namespace lacuna {
namespace {

using Region = std::vector<IndexSet>;

/// How many elements of a part lie between the first and the last one of a region, as its levels are stored, about.
std::int64_t span_of(const Format& format, const Region& region, const Region& part) {
  std::int64_t span = 1;
  for (int k = 0; k < format.order(); ++k) {
    const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
    const Interval bounds = region[mode].bounds();
    span *= k == 0 ? (part[mode] & IndexSet::range(bounds.begin, bounds.end)).size() : part[mode].size();
  }
  return span;
}

/// 1 where all that lies between is of the region.
double spread_of(const Format& format, const Region& region, const Region& part) {
  const std::int64_t volume = volume_of(region);
  return volume == 0 ? 1 : static_cast<double>(span_of(format, region, part)) / static_cast<double>(volume);
}

/// Of a region that lies in both parts.
Copying copying(const Format& format, const Region& from, const Region& what, const Region& to,
                std::int64_t stretches) {
  return {1, stretches, spread_of(format, what, from), spread_of(format, what, to)};
}

/// Of a message with `what` of a dense part, as far as it is wanted.
Copies copies_of_dense(const PartShape& shape, const Region& from, const Region& what, const Region& wanted,
                       bool is_here) {
  const Region used = common(what, wanted);
  if (is_here) {
    const DenseCopy copy(from, wanted, used, shape.format, shape.type);
    return {{}, copying(shape.format, from, used, wanted, copy.stretches())};
  }
  const DenseCopy out(from, what, what, shape.format, shape.type), in(what, wanted, used, shape.format, shape.type);
  Copies copies;
  if (!out.stretch_from()) copies.before = copying(shape.format, from, what, what, out.stretches());
  if (!in.stretch_to()) copies.after = copying(shape.format, what, used, wanted, in.stretches());
  return copies;
}

/// How values of a sparse region lie in a part, or in a message.
struct Values {
  double spread = 1, runs = 1;  // as in Copying
};

/// Runs go on until a coordinate is left out, as levels are stored: no more than those of the levels above.
double runs_of(const Format& format, const Region& region, const Region& part) {
  double runs = 1, above = 1;
  for (int k = 0; k < format.order(); ++k) {
    const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
    const IndexSet& set = region[mode];
    if (set != part[mode]) runs = above * static_cast<double>(set.stretches());
    above *= static_cast<double>(set.size());
  }
  return runs;
}

/// Of a message with values of a sparse part.
Copies copies_of_values(const Values& from, const Values& to, bool is_here) {
  const bool out = from.spread <= 1, in = to.spread <= 1;
  if (is_here) return {{}, {1, out && in ? 1 : 0, from.spread, to.spread, std::max(from.runs, to.runs)}};
  Copies copies;
  if (!out) copies.before = {1, 0, from.spread, 1, from.runs};
  if (!in) copies.after = {1, 0, 1, to.spread, to.runs};
  return copies;
}

}  // namespace

CopyCounter::CopyCounter(const PreparedLaunch& prepared, PartSizes& sizes, bool again, const InPlace& in_place)
    : prepared_(prepared), sizes_(sizes), in_place_(in_place), is_stepped_(again && SteppedLaunch::can_run(prepared)) {}

const TaskPieces& CopyCounter::pieces(std::size_t task) {
  const auto known = pieces_.find(task);
  if (known != pieces_.end()) return known->second;
  TaskPieces& all = pieces_.emplace(task, pieces_of(prepared_, task, in_place_)).first->second;
  for (Piece& piece : all.pieces) piece.cut.clear();  // nobody computes with it
  return all;
}

const std::vector<IndexSet>& CopyCounter::part_of(const Transfer& transfer) const {
  const auto o = static_cast<std::size_t>(transfer.operand);
  return prepared_.plan.placements[o].parts[static_cast<std::size_t>(*transfer.part)].what.coordinates;
}

Copies CopyCounter::of(const Transfer& transfer, const LaunchStep& step, bool is_here) {
  if (is_stepped_) return in_steps(transfer, step, is_here);
  if (!is_one_step()) return {{1}, {2}};
  const auto o = static_cast<std::size_t>(transfer.operand);
  const Task& task = prepared_.plan.tasks[static_cast<std::size_t>(transfer.task)];
  const OperandSource& source = pieces(static_cast<std::size_t>(transfer.task)).pieces.front().sources[o];
  if (source.kind == OperandSource::Kind::Part && transfer.from == task.processor) return {};
  if (source.kind != OperandSource::Kind::Gathered) return of_dense(transfer, is_here);
  return of_values(transfer, step, is_here);
}

bool CopyCounter::is_used_in_place(std::size_t o, const Region& part, const Region& used) const {
  return is_one_stretch(part, used, prepared_.tensor(o).shape().format);
}

Copies CopyCounter::in_steps(const Transfer& transfer, const LaunchStep& step, bool is_here) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const Task& task = prepared_.plan.tasks[static_cast<std::size_t>(transfer.task)];
  const std::vector<IndexSet>& what = transfer.what.coordinates;
  const std::vector<IndexSet>& lies = transfer.part ? part_of(transfer) : what;
  const std::vector<IndexSet> region = prepared_.plan.region_of(prepared_.plan.launch.operands[o], task, step);
  if (transfer.part && transfer.from == task.processor && is_used_in_place(o, lies, region)) return {};
  if (!is_dense(o) && moves_values(o)) return of_values(transfer, step, is_here);
  if (!is_dense(o)) return of_piece(transfer, is_here);
  return copies_of_dense(prepared_.tensor(o).shape(), lies, what, region, is_here);
}

/// Array by array, from where it lies. What is cut out of a part stays cut, and gets other values once a run.
Copies CopyCounter::of_piece(const Transfer& transfer, bool is_here) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const PartPieces& taken = taken_.try_emplace(o, prepared_, o).first->second;
  Copies copies;
  if (transfer.part && taken.is_cut(taken.of(transfer)) && taken.is_first(transfer))
    copies.before = of_values(o, part_of(transfer), transfer.what.coordinates, transfer.what.coordinates, true).after;
  const Task& task = prepared_.plan.tasks[static_cast<std::size_t>(transfer.task)];
  if (is_here && !(transfer.part && transfer.from == task.processor)) copies.after = {1, 1};
  return copies;
}

double CopyCounter::spread(std::size_t o, const Region& part, const Region& region) {
  if (part == region) return 1;
  const std::int64_t entries = sizes_.of(o, part).entries;
  return entries == 0 ? 1 : static_cast<double>(sizes_.span(o, part, region)) / static_cast<double>(entries);
}

Copies CopyCounter::of_values(std::size_t o, const Region& from, const Region& what, const Region& to, bool is_here) {
  const Format& format = prepared_.tensor(o).shape().format;
  return copies_of_values({spread(o, what, from), runs_of(format, what, from)},
                          {spread(o, what, to), runs_of(format, what, to)}, is_here);
}

Copies CopyCounter::of_values(const Transfer& transfer, const LaunchStep& step, bool is_here) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const std::vector<IndexSet>& what = transfer.what.coordinates;
  const Task& task = prepared_.plan.tasks[static_cast<std::size_t>(transfer.task)];
  if (prepared_.plan.launch.deals_out(o)) {
    // Positions of a part that follow each other, among those of other parts, under some outermost coordinates.
    const DistributedTensor& tensor = prepared_.tensor(o);
    const Region& part = part_of(transfer);
    Region some = part;
    if (tensor.is_whole()) {
      IndexSet& outermost = some[static_cast<std::size_t>(tensor.shape().format.map().mode_of(0))];
      outermost = outermost & coordinates_at(tensor.whole(), 0, live_positions(tensor.whole(), transfer.what)[0]);
    }
    return of_values(o, part, some, all_of(tensor.dimensions()), is_here);
  }
  return of_values(o, transfer.part ? part_of(transfer) : what, what,
                   prepared_.plan.region_of(prepared_.plan.launch.operands[o], task, step), is_here);
}

Copies CopyCounter::of_dense(const Transfer& transfer, bool is_here) {
  const auto o = static_cast<std::size_t>(transfer.operand);
  const std::map<std::size_t, std::vector<IndexSet>>& all = pieces(static_cast<std::size_t>(transfer.task)).brought;
  const auto brought = all.find(o);
  if (!transfer.part || brought == all.end()) return {{}, {is_here ? 1 : 0}};
  return copies_of_dense(prepared_.tensor(o).shape(), part_of(transfer), transfer.what.coordinates, brought->second,
                         is_here);
}

Copies CopyCounter::of(const ResultRoute& route) const {
  if (route.stays_as_it_is()) return {};
  const ReductionPlan& reduction = prepared_.reduction;
  const std::vector<IndexSet>& part = reduction.owners.parts[route.part].what.coordinates;
  const std::vector<IndexSet>& contribution = reduction.contributions[route.contribution].region;
  const std::vector<IndexSet> what = region_of(prepared_, route);
  const Format format = prepared_.local_format();
  const bool adds = reduction.adds;
  Copies copies =
      format.is_dense()
          ? copies_of_dense({format, prepared_.sum_type}, contribution, what, part, !route.is_sent())
          : copies_of_values({spread_of(format, what, contribution), runs_of(format, what, contribution)},
                             {spread_of(format, what, part), runs_of(format, what, part)}, !route.is_sent());
  if (adds && copies.after.times == 0) copies.after = copying(format, what, what, part, 1);
  return copies;
}

void CopyCounter::within(std::size_t t, const LaunchStep& step, const OwnCopyHook& f) {
  if (is_one_step()) return within_pieces(t, f);
  if (!is_stepped_) return;
  const LaunchPlan& plan = prepared_.plan;
  const Task& task = plan.tasks[t];
  std::int64_t entries = 0;  // of sparse operands, about as many as a sparse result has
  for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
    const std::vector<IndexSet> used = plan.used_of(plan.launch.operands[o], task, step);
    const std::vector<IndexSet> region = plan.region_of(plan.launch.operands[o], task, step);
    if (!is_dense(o)) entries += sizes_.of(o, used).entries;
    if (is_used_in_place(o, region, used)) continue;
    const PartShape& shape = prepared_.tensor(o).shape();
    if (is_dense(o)) {
      f(volume_of(used) * size_of(shape.type), copies_of_dense(shape, region, used, used, true));
    } else {
      f(sizes_.of(o, used).values, of_values(o, region, used, used, true));
    }
  }
  const std::vector<IndexSet> computed = plan.used_of(plan.launch.result, task, step);
  if (begun_.insert(prepared_.reduction.of(t, computed)).second) return;
  std::int64_t added = volume_of(computed);
  if (!prepared_.local_format().is_dense()) added = std::min(added, entries);
  f(added * size_of(prepared_.sum_type), {{}, {1, 1}});
}

void CopyCounter::within_pieces(std::size_t t, const OwnCopyHook& f) {
  const LaunchPlan& plan = prepared_.plan;
  const std::vector<Piece>& all = pieces(t).pieces;
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::int64_t entries = 0;
    for (std::size_t o = 0; o < plan.launch.operands.size(); ++o) {
      const OperandSource& source = all[k].sources[o];
      if (is_dense(o) || source.kind != OperandSource::Kind::Part) continue;
      if (all[k].rows.count(o) != 0) continue;  // as they lie
      const std::vector<IndexSet> used = plan.used_of(plan.launch.operands[o], all[k].task, plan.steps.front());
      const std::vector<IndexSet>& part =
          plan.placements[o].parts[static_cast<std::size_t>(source.part)].what.coordinates;
      if (used == part) continue;
      const PartSize size = sizes_.of(o, used);
      f(size.values, of_values(o, part, used, used, true));
      entries += size.entries;
    }
    if (k == 0) continue;
    const std::int64_t volume = volume_of(plan.used_of(plan.launch.result, all[k].task, plan.steps.front()));
    f(std::min(volume, entries) * size_of(prepared_.sum_type), {{}, {1, volume <= entries ? 1 : 0}});
  }
}

}  // namespace lacuna

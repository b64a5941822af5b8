#include "lacuna/distribute/execute/contributions.h"

#include <algorithm>

#include <sstream>

#include <fmt/format.h>

#include "lacuna/distribute/communicate/wire.h"
#include "lacuna/distribute/partition/partition.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

void count(Traffic& traffic, const Machine& machine, const LocalPart& part, std::int64_t from, std::int64_t to) {
  if (from == to) return;
  ++traffic.messages;
  traffic.bytes += bytes_to_send(part);
  traffic.farthest = std::max(traffic.farthest, distance(machine, from, to));
}

namespace {

std::string to_text(const Traffic& t) { return fmt::format("{} {} {} ", t.messages, t.bytes, t.farthest); }

void add(Traffic& sum, const Traffic& t) {
  sum.messages += t.messages;
  sum.bytes += t.bytes;
  sum.farthest = std::max(sum.farthest, t.farthest);
}

}  // namespace

void add_up(DistributedReport& report, Communicator& ranks) {
  if (ranks.ranks() == 1) return;
  const std::string mine = to_text(report.fetches) + to_text(report.reductions);
  report.fetches = report.reductions = {};
  for (const std::string& text : ranks.gather_all(mine)) {
    Traffic fetches, reductions;
    std::istringstream in(text);
    for (Traffic* t : {&fetches, &reductions}) in >> t->messages >> t->bytes >> t->farthest;
    add(report.fetches, fetches);
    add(report.reductions, reductions);
  }
}

ReductionPlan plan_reduction(const PreparedLaunch& prepared, const DistributedRequest& request) {
  const LaunchPlan& plan = prepared.plan;
  ReductionPlan out;
  out.adds = plan.launch.adds_up() || request.request.statement.accumulate;
  for (const IndexVar& v : plan.launch.result.indices) out.dimensions.push_back(plan.launch.values_of(v, {}).size());
  for (const LaunchStep& step : plan.steps)
    for (const Task& task : plan.tasks)
      if (plan.contributes(task, step))
        out.known.push_back({task.processor, plan.used_of(plan.launch.result, task, step)});
  const std::string& name = plan.launch.result.tensor;
  const auto placed = request.placed.find(name);
  if (placed != request.placed.end()) {
    const Storage nothing = empty_tensor(prepared.sum_type, out.dimensions, prepared.local_format());
    out.owners = placement_of(partition(nothing, placed->second, name));
    return out;
  }
  const std::vector<std::optional<IndexSet>> all(out.dimensions.size());
  if (out.adds || out.known.empty()) out.owners.parts.push_back({{all_of(out.dimensions), all}, {0}});
  else
    for (const ReductionPlan::Known& each : out.known)
      out.owners.parts.push_back({{each.region, all}, {each.processor}});
  return out;
}

Reduction::Reduction(const PreparedLaunch& prepared, const DistributedRequest& request, Communicator& ranks)
    : prepared_(prepared),
      request_(request),
      ranks_(ranks),
      reduction_(plan_reduction(prepared, request)),
      shape_{prepared.local_format(), prepared.sum_type, Scalar::zero(prepared.sum_type)} {}

int Reduction::rank_of(std::int64_t processor) const {
  return lacuna::rank_of(processor, prepared_.plan.machine.processors(), ranks_.ranks());
}

DistributedTensor Reduction::of(std::vector<Contribution> mine) {
  std::vector<LocalPart> parts;
  for (Contribution& each : mine) parts.push_back({std::move(each.region), std::move(each.part)});
  PartShape shape = shape_;
  shape.type = prepared_.result_type;
  shape.fill = Scalar::zero(shape.type);
  DistributedTensor result(reduction_.dimensions, shape, reduction_.owners, prepared_.plan.machine.processors());
  const std::vector<TensorPlacement::Part>& placed = result.placement().parts;
  for (const TensorPlacement::Part& part : placed)
    for (const std::int64_t owner : part.processors) send_to(part, owner, parts);
  for (std::size_t p = 0; p < placed.size(); ++p) {
    for (const std::int64_t owner : placed[p].processors) {
      std::optional<LocalPart> part = collected(placed[p], owner, parts);
      if (!part) continue;
      part->storage = convert_type(part->storage, shape.type);
      result.set_part(static_cast<std::int64_t>(p), std::move(*part));
    }
  }
  ranks_.finish_sends();
  return result;
}

void Reduction::send_to(const TensorPlacement::Part& part, std::int64_t owner, const std::vector<LocalPart>& mine) {
  if (rank_of(owner) == ranks_.rank()) return;
  std::size_t next = 0;
  for (const ReductionPlan::Known& each : reduction_.known) {
    if (rank_of(each.processor) != ranks_.rank()) continue;
    const LocalPart& computed = mine[next++];
    if (volume_of(common(each.region, part.what.coordinates)) == 0) continue;
    ranks_.send(rank_of(owner), std::make_shared<Bytes>(to_message(cut(computed, part.what.coordinates))));
  }
}

std::optional<LocalPart> Reduction::collected(const TensorPlacement::Part& part, std::int64_t owner,
                                              const std::vector<LocalPart>& mine) {
  if (rank_of(owner) != ranks_.rank()) return std::nullopt;
  const std::vector<IndexSet>& region = part.what.coordinates;
  std::vector<LocalPart> parts;
  if (request_.request.statement.accumulate) parts.push_back(old_values(region));
  std::size_t next = 0;
  for (const ReductionPlan::Known& each : reduction_.known) {
    const int from = rank_of(each.processor);
    const LocalPart* computed = from == ranks_.rank() ? &mine[next++] : nullptr;
    const std::vector<IndexSet> both = common(each.region, region);
    if (volume_of(both) == 0) continue;
    parts.push_back(computed != nullptr ? cut(*computed, region) : from_message(ranks_.receive(from), both, shape_));
    count(traffic_, prepared_.plan.machine, parts.back(), each.processor, owner);
  }
  return reduction_.adds ? add_up(parts, region, shape_) : join(parts, region, shape_);
}

/// What the result held before, which its owner has.
LocalPart Reduction::old_values(const std::vector<IndexSet>& region) const {
  const Storage& old = request_.request.operands.at(prepared_.plan.launch.result.tensor);
  return cut(whole_part(convert_type(convert(old, shape_.format), shape_.type)), region);
}

}  // namespace lacuna

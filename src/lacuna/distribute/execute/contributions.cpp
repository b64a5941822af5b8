#include "lacuna/distribute/execute/contributions.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "lacuna/distribute/communicate/wire.h"
#include "lacuna/distribute/partition/partition.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

void count(Traffic& traffic, const Machine& machine, std::int64_t bytes, std::int64_t from, std::int64_t to) {
  if (from == to) return;
  ++traffic.messages;
  traffic.bytes += bytes;
  traffic.farthest = std::max(traffic.farthest, distance(machine, from, to));
}

void add(Traffic& sum, const Traffic& more) {
  sum.messages += more.messages;
  sum.bytes += more.bytes;
  sum.farthest = std::max(sum.farthest, more.farthest);
}

namespace {

std::string to_text(const Traffic& t) { return fmt::format("{} {} {} ", t.messages, t.bytes, t.farthest); }

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

Reduction::Reduction(const PreparedLaunch& prepared, const DistributedRequest& request, Communicator& ranks)
    : prepared_(prepared),
      request_(request),
      ranks_(ranks),
      shape_{prepared.local_format(), prepared.sum_type, Scalar::zero(prepared.sum_type)} {}

int Reduction::rank_of(std::int64_t processor) const {
  return lacuna::rank_of(processor, prepared_.plan.machine.processors(), ranks_.ranks());
}

std::int64_t Reduction::processor_of(std::size_t contribution) const {
  return prepared_.plan.tasks[prepared_.reduction.contributions[contribution].task].processor;
}

DistributedTensor Reduction::of(const Contributions& mine) {
  std::vector<std::int64_t> dimensions;
  for (const IndexVar& v : prepared_.plan.launch.result.indices)
    dimensions.push_back(prepared_.plan.launch.values_of(v, {}).size());
  PartShape shape = shape_;
  shape.type = prepared_.result_type;
  shape.fill = Scalar::zero(shape.type);
  const std::vector<TensorPlacement::Part>& placed = prepared_.reduction.owners.parts;
  DistributedTensor result(dimensions, shape, prepared_.reduction.owners, prepared_.plan.machine.processors());
  for (std::size_t p = 0; p < placed.size(); ++p)
    for (const std::int64_t owner : placed[p].processors)
      if (rank_of(owner) != ranks_.rank()) send_to(p, owner, mine);
  for (std::size_t p = 0; p < placed.size(); ++p) {
    for (const std::int64_t owner : placed[p].processors) {
      if (rank_of(owner) != ranks_.rank()) continue;
      LocalPart part = collected(p, owner, mine);
      part.storage = convert_type(part.storage, shape.type);
      result.set_part(static_cast<std::int64_t>(p), std::move(part));
    }
  }
  ranks_.finish_sends();
  return result;
}

void Reduction::send_to(std::size_t part, std::int64_t owner, const Contributions& mine) {
  const std::vector<IndexSet>& region = prepared_.reduction.owners.parts[part].what.coordinates;
  for (const std::size_t k : prepared_.reduction.reaching[part])
    if (rank_of(processor_of(k)) == ranks_.rank())
      ranks_.send(rank_of(owner), std::make_shared<Bytes>(to_message(cut(mine.at(k), region))));
}

LocalPart Reduction::collected(std::size_t part, std::int64_t owner, const Contributions& mine) {
  const std::vector<IndexSet>& region = prepared_.reduction.owners.parts[part].what.coordinates;
  std::vector<LocalPart> parts;
  if (request_.request.statement.accumulate) parts.push_back(old_values(region));
  for (const std::size_t k : prepared_.reduction.reaching[part]) {
    const std::int64_t from = processor_of(k);
    const std::vector<IndexSet>& computed = prepared_.reduction.contributions[k].region;
    parts.push_back(rank_of(from) == ranks_.rank()
                        ? cut(mine.at(k), region)
                        : from_message(ranks_.receive(rank_of(from)), common(computed, region), shape_));
    count(traffic_, prepared_.plan.machine, bytes_to_send(parts.back()), from, owner);
  }
  return prepared_.reduction.adds ? add_up(parts, region, shape_) : join(parts, region, shape_);
}

/// What the result held before, which its owner has; converted once.
LocalPart Reduction::old_values(const std::vector<IndexSet>& region) {
  if (!old_) {
    const Storage& old = request_.request.operands.at(prepared_.plan.launch.result.tensor);
    old_ = whole_part(convert_type(convert(old, shape_.format), shape_.type));
  }
  return cut(*old_, region);
}

}  // namespace lacuna

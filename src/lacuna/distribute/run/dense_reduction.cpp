#include "lacuna/distribute/run/dense_reduction.h"

#include <cstring>

#include "lacuna/distribute/parts/dense_part.h"

namespace lacuna {

DenseReduction::DenseReduction(const PreparedLaunch& prepared, Communicator& ranks)
    : prepared_(prepared), shape_{prepared.local_format(), prepared.sum_type, Scalar::zero(prepared.sum_type)} {
  ResultRoutes routes = routes_of(prepared, ranks);
  for (const ResultRoute& route : routes.outgoing) {
    const std::vector<IndexSet>& from = region_of(route.contribution);
    Outgoing out{route.contribution, route.to, DenseCopy(from, route.region, route.region, shape_.format, shape_.type)};
    if (!out.packing.stretch_from()) out.buffer.resize(static_cast<std::size_t>(out.packing.bytes()));
    outgoing_.push_back(std::move(out));
  }
  for (auto& [part, reaching] : routes.gathered) {
    Target target{part};
    for (ResultRoute& route : reaching) add_addend(target, std::move(route));
    find_out_what_covers(target);
    targets_.push_back(std::move(target));
  }
  all_here_ = std::move(routes.all_here);
  for (const ResultRoute& route : all_here_) count_incoming(route);
}

void DenseReduction::count_incoming(const ResultRoute& route) {
  count(traffic_, prepared_, route, volume_of(route.region) * size_of(shape_.type));
}

void DenseReduction::add_addend(Target& target, ResultRoute route) {
  count_incoming(route);
  const std::vector<IndexSet>& from = route.is_sent() ? route.region : region_of(route.contribution);
  DenseCopy copy(from, region_of_part(target.part), route.region, shape_.format, shape_.type);
  target.waits = target.waits || route.is_sent();
  target.addends.push_back({std::move(route), std::move(copy), prepared_.reduction.adds});
}

/// Where contributions cover a part, none of what was in its memory stays; of several to an entry the first may be
/// copied.
void DenseReduction::find_out_what_covers(Target& target) const {
  const std::vector<IndexSet>& part = region_of_part(target.part);
  if (prepared_.accumulates) target.begins_with_zeros = false;
  else if (prepared_.reduction.adds && !target.addends.empty()) {
    Addend& first = target.addends.front();
    first.adds = first.route.region != part;
    target.begins_with_zeros = first.adds;
  } else {
    std::int64_t covered = 0;
    for (const Addend& addend : target.addends) covered += volume_of(addend.route.region);
    target.begins_with_zeros = covered < volume_of(part);
  }
  for (Addend& addend : target.addends)
    if (addend.route.is_sent() && (addend.adds || !addend.copy.stretch_to()))
      addend.buffer.resize(static_cast<std::size_t>(addend.copy.bytes()));
}

void DenseReduction::run(const Contributions& mine, const OldPart& old, Communicator& ranks,
                         DistributedTensor& result) {
  for (Target& target : targets_) begin(target, old, ranks);
  for (Outgoing& out : outgoing_) send(out, *mine.at(out.contribution), ranks);
  for (const ResultRoute& route : all_here_)
    result.set_part(static_cast<std::int64_t>(route.part), *mine.at(route.contribution));
  for (Target& target : targets_)
    if (!target.waits) finish(target, mine, result);
  ranks.finish_receives();
  for (Target& target : targets_)
    if (target.waits) finish(target, mine, result);
  ranks.finish_sends();
}

/// Makes memory ready, and begins to receive.
void DenseReduction::begin(Target& target, const OldPart& old, Communicator& ranks) const {
  LocalPart& part = target.memory.next();
  Array& values = part.storage.values;
  if (!values.is_sole()) part = dense_part(region_of_part(target.part), shape_);
  else if (target.begins_with_zeros) std::memset(values.mutable_data(), 0, static_cast<std::size_t>(values.bytes()));
  if (prepared_.accumulates) copy_into(old(target.part), part);
  for (Addend& addend : target.addends) {
    if (!addend.route.is_sent()) continue;
    const auto bytes = static_cast<std::size_t>(addend.copy.bytes());
    std::byte* to = addend.buffer.empty() ? static_cast<std::byte*>(values.mutable_data()) + *addend.copy.stretch_to()
                                          : addend.buffer.data();
    addend.channel.receive(ranks, addend.route.from, {to, bytes});
  }
}

void DenseReduction::send(Outgoing& out, const LocalPart& contribution, Communicator& ranks) {
  const auto* values = static_cast<const std::byte*>(contribution.storage.values.data());
  if (const auto stretch = out.packing.stretch_from()) {
    out.channel.send(ranks, out.to, {values + *stretch, static_cast<std::size_t>(out.packing.bytes())});
    return;
  }
  out.packing.copy(values, out.buffer.data());
  out.channel.send(ranks, out.to, out.buffer);
}

void DenseReduction::finish(Target& target, const Contributions& mine, DistributedTensor& result) const {
  LocalPart& part = target.memory.last();
  void* to = part.storage.values.mutable_data();
  for (const Addend& addend : target.addends) {
    if (addend.route.is_sent() && addend.buffer.empty()) continue;  // received where it belongs
    const void* from =
        addend.route.is_sent() ? addend.buffer.data() : mine.at(addend.route.contribution)->storage.values.data();
    if (addend.adds) addend.copy.add(from, to);
    else addend.copy.copy(from, to);
  }
  set_part(result, prepared_, target.part, part);
}

}  // namespace lacuna

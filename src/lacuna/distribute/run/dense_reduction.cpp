#include "lacuna/distribute/run/dense_reduction.h"

#include <algorithm>
#include <cstring>

#include "lacuna/distribute/parts/dense_part.h"

namespace lacuna {

DenseReduction::DenseReduction(const PreparedLaunch& prepared, Communicator& ranks)
    : prepared_(prepared),
      shape_{prepared.local_format(), prepared.sum_type, Scalar::zero(prepared.sum_type)},
      last_step_(std::max<std::size_t>(prepared.plan.steps.size(), 1) - 1),
      trees_(prepared, ranks),
      traffic_(trees_.traffic()) {
  phases_[last_step_];
  ResultRoutes routes = routes_of(prepared, ranks);
  for (const ResultRoute& route : routes.outgoing) {
    const std::vector<IndexSet>& from = region_of(route.contribution);
    Outgoing out{route.contribution, route.to, DenseCopy(from, route.region, route.region, shape_.format, shape_.type)};
    if (!out.packing.stretch_from()) out.buffer.resize(static_cast<std::size_t>(out.packing.bytes()));
    phases_[phase_of(route)].outgoing.push_back(std::move(out));
  }
  for (auto& [part, reaching] : routes.gathered) add_target(part, std::move(reaching));
  all_here_ = std::move(routes.all_here);
  for (const ResultRoute& route : all_here_) count_incoming(route);
  for (auto& [step, phase] : phases_) give_buffers(phase);
}

std::size_t DenseReduction::phase_of(const ResultRoute& route) const {
  return prepared_.reduction.contributions[route.contribution].last_step;
}

void DenseReduction::count_incoming(const ResultRoute& route) {
  count(traffic_, prepared_, route, volume_of(route.region) * size_of(shape_.type));
}

/// Contributions come in the order of their phases.
void DenseReduction::add_target(std::size_t part, std::vector<ResultRoute> reaching) {
  Target target{part};
  std::vector<Addend> addends;
  for (ResultRoute& route : reaching) addends.push_back(addend_of(part, std::move(route)));
  find_out_what_covers(target, addends);
  const std::size_t number = targets_.size();
  targets_.push_back(std::move(target));
  phases_[addends.empty() ? last_step_ : phase_of(addends.front().route)].first_of.push_back(number);
  for (Addend& addend : addends) {
    std::vector<Share>& shares = phases_[phase_of(addend.route)].shares;
    if (shares.empty() || shares.back().target != number) shares.push_back({number});
    shares.back().waits = shares.back().waits || addend.route.is_sent();
    shares.back().addends.push_back(std::move(addend));
  }
}

DenseReduction::Addend DenseReduction::addend_of(std::size_t part, ResultRoute route) {
  count_incoming(route);
  const std::vector<IndexSet>& from = route.is_sent() ? route.region : region_of(route.contribution);
  DenseCopy copy(from, region_of_part(part), route.region, shape_.format, shape_.type);
  return {std::move(route), std::move(copy), prepared_.reduction.adds};
}

/// Where contributions cover a part, none of what was in its memory stays; of several to an entry the first may be
/// copied.
void DenseReduction::find_out_what_covers(Target& target, std::vector<Addend>& addends) const {
  const std::vector<IndexSet>& part = region_of_part(target.part);
  if (prepared_.accumulates) {
    target.begins_with_zeros = false;
  } else if (prepared_.reduction.adds && !addends.empty()) {
    Addend& first = addends.front();
    first.adds = first.route.region != part;
    target.begins_with_zeros = first.adds;
  } else {
    std::int64_t covered = 0;
    for (const Addend& addend : addends) covered += volume_of(addend.route.region);
    target.begins_with_zeros = covered < volume_of(part);
  }
}

void DenseReduction::give_buffers(Phase& phase) {
  std::size_t given = 0;
  for (Share& share : phase.shares) {
    for (Addend& addend : share.addends) {
      if (!addend.route.is_sent() || (!addend.adds && addend.copy.stretch_to())) continue;
      addend.buffer = given++;
      if (buffers_.size() < given) buffers_.emplace_back();
      Bytes& buffer = buffers_[*addend.buffer];
      buffer.resize(std::max(buffer.size(), static_cast<std::size_t>(addend.copy.bytes())));
    }
  }
}

void DenseReduction::reduce(std::size_t step, const Contributions& mine, const OldPart& old, Communicator& ranks) {
  finish_begun(mine);
  const auto phase = phases_.find(step);
  if (phase != phases_.end()) begin(phase->second, mine, old, ranks);
}

/// Parts are set when all are there: until then, a result that is written over stays as it was.
void DenseReduction::finish(const Contributions& mine, const OldPart& old, Communicator& ranks,
                            DistributedTensor& result) {
  finish_begun(mine);
  trees_.run(mine, ranks);
  reduce(last_step_, mine, old, ranks);
  ranks.finish_receives();
  finish_begun(mine);
  for (const ResultRoute& route : all_here_)
    result.set_part(static_cast<std::int64_t>(route.part), *mine.at(route.contribution));
  for (Target& target : targets_) set_part(result, prepared_, target.part, target.memory.last());
  ranks.finish_sends();
}

void DenseReduction::begin(Phase& phase, const Contributions& mine, const OldPart& old, Communicator& ranks) {
  begun_ = &phase;
  for (const std::size_t target : phase.first_of) begin(targets_[target], old);
  for (Share& share : phase.shares) receive(share, ranks);
  for (Outgoing& out : phase.outgoing) send(out, *mine.at(out.contribution), ranks);
  for (const Share& share : phase.shares)
    if (!share.waits) add(share, mine);
}

/// Makes memory ready.
void DenseReduction::begin(Target& target, const OldPart& old) const {
  LocalPart& part = target.memory.next();
  Array& values = part.storage.values;
  if (!values.is_sole()) part = dense_part(region_of_part(target.part), shape_);
  else if (target.begins_with_zeros) std::memset(values.mutable_data(), 0, static_cast<std::size_t>(values.bytes()));
  if (prepared_.accumulates) copy_into(old(target.part), part);
}

void DenseReduction::receive(Share& share, Communicator& ranks) {
  Array& values = targets_[share.target].memory.last().storage.values;
  for (Addend& addend : share.addends) {
    if (!addend.route.is_sent()) continue;
    const auto bytes = static_cast<std::size_t>(addend.copy.bytes());
    std::byte* to = addend.buffer ? buffers_[*addend.buffer].data()
                                  : static_cast<std::byte*>(values.mutable_data()) + *addend.copy.stretch_to();
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

void DenseReduction::add(const Share& share, const Contributions& mine) {
  void* to = targets_[share.target].memory.last().storage.values.mutable_data();
  for (const Addend& addend : share.addends) {
    if (addend.route.is_sent() && !addend.buffer) continue;  // received where it belongs
    const void* from =
        addend.buffer ? buffers_[*addend.buffer].data() : mine.at(addend.route.contribution)->storage.values.data();
    if (addend.adds) addend.copy.add(from, to);
    else addend.copy.copy(from, to);
  }
}

void DenseReduction::finish_begun(const Contributions& mine) {
  if (begun_ == nullptr) return;
  for (const Share& share : begun_->shares)
    if (share.waits) add(share, mine);
  begun_ = nullptr;
}

}  // namespace lacuna

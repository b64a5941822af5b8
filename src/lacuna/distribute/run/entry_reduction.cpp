#include "lacuna/distribute/run/entry_reduction.h"

#include <algorithm>
#include <cstring>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/wire.h"
#include "lacuna/distribute/run/same_pattern.h"

namespace lacuna {
namespace {

/// In memory of its own: kernels write over what is theirs.
Storage pattern_of(const Storage& storage) {
  Storage pattern = storage;
  for (LevelStorage& level : pattern.levels)
    for (Array* array : {&level.pos, &level.crd, &level.present}) *array = array->copy();
  pattern.values = {};
  return pattern;
}

}  // namespace

EntryReduction::EntryReduction(const PreparedLaunch& prepared, bool again, Communicator& ranks)
    : prepared_(prepared),
      shape_{prepared.local_format(), prepared.sum_type, Scalar::zero(prepared.sum_type)},
      again_(again && !prepared.accumulates) {
  ResultRoutes routes = routes_of(prepared, ranks);
  for (ResultRoute& route : routes.outgoing) {
    patterns_[route.contribution];
    outgoing_.push_back({std::move(route)});
  }
  for (auto& [part, reaching] : routes.gathered) {
    Target target{part};
    for (ResultRoute& route : reaching) {
      if (!route.is_sent()) patterns_[route.contribution];
      target.addends.push_back({std::move(route)});
    }
    targets_.push_back(std::move(target));
  }
  all_here_ = std::move(routes.all_here);
}

void EntryReduction::run(const Contributions& mine, const OldPart& old, Communicator& ranks,
                         DistributedTensor& result) {
  traffic_ = {};
  for (const ResultRoute& route : all_here_) {
    const LocalPart& part = *mine.at(route.contribution);
    count(traffic_, prepared_, route, bytes_to_send(part));
    result.set_part(static_cast<std::int64_t>(route.part), part);
  }
  if (computes_as_before(mine, ranks) && knows_values_) return bring_values(mine, ranks, result);
  bring_entries(mine, old, ranks, result);
  if (will_tell_values_apart()) find_out_where_values_go(mine, ranks);
}

/// Whether all ranks do. Notes what this one computed, to compare it with in the next run.
bool EntryReduction::computes_as_before(const Contributions& mine, Communicator& ranks) {
  if (!again_) return false;
  bool is_same = true;
  for (auto& [k, pattern] : patterns_) {
    const Storage& computed = mine.at(k)->storage;
    if (same_pattern(pattern, computed)) continue;
    is_same = false;
    pattern = pattern_of(computed);
  }
  is_as_before_ = least_over(ranks, is_same ? 1 : 0) == 1;
  if (!is_as_before_) {
    knows_values_ = false;
    tells_values_apart_ = true;
  }
  return is_as_before_;
}

void EntryReduction::bring_entries(const Contributions& mine, const OldPart& old, Communicator& ranks,
                                   DistributedTensor& result) {
  for (const Outgoing& out : outgoing_)
    ranks.send(out.route.to,
               std::make_shared<Bytes>(to_message(cut(*mine.at(out.route.contribution), out.route.region))));
  for (Target& target : targets_) {
    std::vector<LocalPart> parts;
    if (prepared_.accumulates) parts.push_back(old(target.part));
    for (Addend& addend : target.addends) {
      const ResultRoute& route = addend.route;
      parts.push_back(route.is_sent() ? from_message(ranks.receive(route.from), route.region, shape_)
                                      : cut(*mine.at(route.contribution), route.region));
      count(traffic_, prepared_, route, bytes_to_send(parts.back()));
      if (will_tell_values_apart()) addend.part = parts.back();
    }
    target.whole =
        prepared_.reduction.adds ? add_up(parts, region_of(target), shape_) : join(parts, region_of(target), shape_);
    set_part(result, prepared_, target.part, target.whole);
    if (!again_) target.whole = {};
  }
  ranks.finish_sends();
}

/// Does what was done with values to their numbers. All ranks have to succeed, or go on as before.
void EntryReduction::find_out_where_values_go(const Contributions& mine, Communicator& ranks) {
  bool all = true;
  for (Outgoing& out : outgoing_) {
    const LocalPart& from = *mine.at(out.route.contribution);
    out.values = ValueMap::between(cut(from, out.route.region).storage, cut(numbered(from), out.route.region).storage);
    all = all && out.values;
  }
  for (Target& target : targets_) {
    std::int64_t moved = 0;
    for (Addend& addend : target.addends) {
      const LocalPart& from = addend.route.is_sent() ? addend.part : *mine.at(addend.route.contribution);
      addend.values = ValueMap::into(target.whole, cut(numbered(from), addend.route.region));
      addend.size = addend.part.storage.values.size();
      all = all && addend.values;
      if (addend.values) moved += addend.values->moved();
      addend.part = {};
      addend.buffer = {};
    }
    target.size = target.whole.storage.values.size();
    target.whole.storage.values = {};
    target.begins_with_zeros = prepared_.reduction.adds || moved < target.size;
  }
  tells_values_apart_ = knows_values_ = least_over(ranks, all ? 1 : 0) == 1;
}

void EntryReduction::bring_values(const Contributions& mine, Communicator& ranks, DistributedTensor& result) {
  for (Target& target : targets_) begin(target, ranks);
  for (Outgoing& out : outgoing_) {
    const auto* values = static_cast<const std::byte*>(mine.at(out.route.contribution)->storage.values.data());
    const auto bytes = static_cast<std::size_t>(out.values->size() * size_of(shape_.type));
    if (const auto stretch = out.values->stretch_from()) {
      out.channel.send(ranks, out.route.to, {values + *stretch, bytes});
      continue;
    }
    out.buffer.resize(bytes);
    out.values->copy(values, out.buffer.data());
    out.channel.send(ranks, out.route.to, out.buffer);
  }
  ranks.finish_receives();
  for (Target& target : targets_) {
    finish(target, mine);
    set_part(result, prepared_, target.part, target.memory.last());
  }
  ranks.finish_sends();
}

/// Makes memory ready, and begins to receive.
void EntryReduction::begin(Target& target, Communicator& ranks) {
  LocalPart& part = target.memory.next();
  if (!same_pattern(part.storage, target.whole.storage) || !part.storage.values.is_sole()) {
    part = target.whole;
    part.storage.values = Array::allocate(shape_.type, target.size, false);
  }
  Array& values = part.storage.values;
  if (target.begins_with_zeros && target.size > 0)
    std::memset(values.mutable_data(), 0, static_cast<std::size_t>(values.bytes()));
  for (Addend& addend : target.addends) {
    if (!addend.route.is_sent()) continue;
    const auto bytes = static_cast<std::size_t>(addend.size * size_of(shape_.type));
    const auto stretch = addend.values->stretch_to();
    const bool is_direct = !prepared_.reduction.adds && stretch && addend.values->moved() == addend.size;
    if (!is_direct) addend.buffer.resize(bytes);
    addend.channel.receive(ranks, addend.route.from,
                           is_direct ? std::span(static_cast<std::byte*>(values.mutable_data()) + *stretch, bytes)
                                     : std::span(addend.buffer));
  }
}

void EntryReduction::finish(Target& target, const Contributions& mine) {
  void* to = target.memory.last().storage.values.mutable_data();
  for (const Addend& addend : target.addends) {
    count(traffic_, prepared_, addend.route, addend.size * size_of(shape_.type));
    const bool is_sent = addend.route.is_sent();
    if (is_sent && addend.buffer.empty()) continue;  // received where it belongs, or nothing
    const void* from = is_sent ? addend.buffer.data() : mine.at(addend.route.contribution)->storage.values.data();
    if (prepared_.reduction.adds) addend.values->add(from, to);
    else addend.values->put(from, to);
  }
}

}  // namespace lacuna

#include "lacuna/distribute/run/general_fetch.h"

#include "lacuna/distribute/comm/wire.h"

namespace lacuna {

void GeneralFetch::begin(std::size_t s, bool, Communicator& ranks) {
  for (const Transfer& transfer : plan().steps[s].transfers) {
    const auto [from, to] = way_of(transfer, ranks);
    if (!is_of(transfer) || from != ranks.rank()) continue;
    if (to == from) copied_[&transfer] = counted(transfer, sent(transfer));
    else ranks.send(to, std::make_shared<Bytes>(to_message(sent(transfer))));
  }
}

LocalPart GeneralFetch::sent(const Transfer& transfer) const {
  return transfer.neighbour ? held_.at(static_cast<std::size_t>(*transfer.neighbour)) : sent_part(prepared_, transfer);
}

LocalPart GeneralFetch::counted(const Transfer& transfer, LocalPart part) {
  count_transfer(transfer, bytes_to_send(part));
  return part;
}

void GeneralFetch::finish(std::size_t s, Communicator& ranks) {
  Arrived arrived;
  for (const Transfer& transfer : plan().steps[s].transfers) {
    const auto [from, to] = way_of(transfer, ranks);
    if (!is_of(transfer) || to != ranks.rank()) continue;
    std::vector<LocalPart>& parts = arrived[static_cast<std::size_t>(transfer.task)];
    if (from == to) parts.push_back(std::move(copied_.at(&transfer)));
    else parts.push_back(counted(transfer, from_message(ranks.receive(from), transfer.what.coordinates, shape())));
  }
  copied_.clear();
  if (regions_.size() == s) {
    regions_.emplace_back();
    for (const std::size_t t : fetchers(ranks)) regions_[s].emplace(t, region_of(t, s));
  }
  for (const auto& [t, region] : regions_[s]) put_together(t, arrived, region);
}

/// A region that nothing lies in is not fetched, and neither is one that is there already.
void GeneralFetch::put_together(std::size_t t, const Arrived& arrived, const std::vector<IndexSet>& region) {
  const auto parts = arrived.find(t);
  LocalPart& held = held_[t];
  if (parts != arrived.end()) join_over(held, parts->second, region, shape());
  else if (held.storage.levels.size() != region.size() || held.sets != region) held = join({}, region, shape());
}

}  // namespace lacuna

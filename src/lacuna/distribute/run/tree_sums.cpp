#include "lacuna/distribute/run/tree_sums.h"

namespace lacuna {

TreeSums::TreeSums(const PreparedLaunch& prepared, const Communicator& ranks) {
  const ReductionPlan& reduction = prepared.reduction;
  for (const std::vector<ReductionPlan::Addition>& round : reduction.rounds) {
    std::vector<Addition>& here = rounds_.emplace_back();
    for (const auto& [from, into] : round) {
      const std::int64_t source = reduction.processor_of(prepared.plan, from),
                         target = reduction.processor_of(prepared.plan, into);
      const int sender = rank_of(prepared.plan, source, ranks), receiver = rank_of(prepared.plan, target, ranks);
      if (sender != ranks.rank() && receiver != ranks.rank()) continue;
      const std::vector<IndexSet>& region = reduction.contributions[from].region;
      here.push_back({from, into, sender, receiver,
                      DenseCopy(region, region, region, prepared.local_format(), prepared.sum_type)});
      Addition& addition = here.back();
      if (receiver != ranks.rank()) continue;
      count(traffic_, prepared.plan.machine, addition.copy.bytes(), source, target);
      if (sender != receiver) addition.buffer.resize(static_cast<std::size_t>(addition.copy.bytes()));
    }
  }
}

void TreeSums::run(const Contributions& mine, Communicator& ranks) {
  const auto values = [&](std::size_t k) -> Array& { return mine.at(k)->storage.values; };
  for (std::vector<Addition>& round : rounds_) {
    for (Addition& each : round) {
      if (each.sender == each.receiver) continue;
      if (each.receiver == ranks.rank()) each.channel.receive(ranks, each.sender, each.buffer);
      else
        each.channel.send(
            ranks, each.receiver,
            {static_cast<const std::byte*>(values(each.from).data()), static_cast<std::size_t>(each.copy.bytes())});
    }
    ranks.finish_receives();
    for (const Addition& each : round) {
      if (each.receiver != ranks.rank()) continue;
      const void* from = each.sender == each.receiver ? values(each.from).data() : each.buffer.data();
      each.copy.add(from, values(each.into).mutable_data());
    }
    ranks.finish_sends();
  }
}

}  // namespace lacuna

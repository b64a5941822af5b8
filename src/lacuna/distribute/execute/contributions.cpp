#include "lacuna/distribute/execute/contributions.h"

#include "lacuna/distribute/communicate/wire.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

Reduction::Reduction(const PreparedLaunch& prepared)
    : prepared_(prepared), shape_{prepared.local_format(), prepared.sum_type, Scalar::zero(prepared.sum_type)} {}

int Reduction::rank_of(std::int64_t processor) const {
  return lacuna::rank_of(processor, prepared_.plan.machine.processors(), ranks_->ranks());
}

std::int64_t Reduction::processor_of(std::size_t contribution) const {
  return prepared_.plan.tasks[prepared_.reduction.contributions[contribution].task].processor;
}

void Reduction::run(const Contributions& mine, const DistributedTensor* old, Communicator& ranks,
                    std::optional<DistributedTensor>& result) {
  old_ = old;
  ranks_ = &ranks;
  traffic_ = {};
  if (!result || &result->layout() != prepared_.result_layout.get()) result.emplace(prepared_.result_layout, ranks);
  const std::vector<TensorPlacement::Part>& placed = prepared_.reduction.owners.parts;
  for (std::size_t p = 0; p < placed.size(); ++p)
    for (const std::int64_t owner : placed[p].processors)
      if (rank_of(owner) != ranks.rank()) send_to(p, owner, mine);
  for (std::size_t p = 0; p < placed.size(); ++p) {
    for (const std::int64_t owner : placed[p].processors) {
      if (rank_of(owner) != ranks.rank()) continue;
      if (const LocalPart* all = all_of_it(p, mine)) {
        const std::int64_t from = processor_of(prepared_.reduction.reaching[p].front());
        count(traffic_, prepared_.plan.machine, bytes_to_send(*all), from, owner);
        result->set_part(static_cast<std::int64_t>(p), *all);
        continue;
      }
      LocalPart part = collected(p, owner, mine);
      part.storage = convert_type(part.storage, prepared_.result_type);
      result->set_part(static_cast<std::int64_t>(p), std::move(part));
    }
  }
  ranks.finish_sends();
  result->count_stored(ranks);
}

const LocalPart* Reduction::all_of_it(std::size_t part, const Contributions& mine) const {
  const std::vector<std::size_t>& reaching = prepared_.reduction.reaching[part];
  if (reaching.size() != 1 || prepared_.accumulates) return nullptr;
  const auto found = mine.find(reaching.front());
  if (found == mine.end()) return nullptr;
  const LocalPart& computed = *found->second;
  const bool is_all = computed.sets == prepared_.reduction.owners.parts[part].what.coordinates &&
                      computed.storage.type == prepared_.result_type && computed.storage.format == shape_.format;
  return is_all ? &computed : nullptr;
}

void Reduction::send_to(std::size_t part, std::int64_t owner, const Contributions& mine) {
  const std::vector<IndexSet>& region = prepared_.reduction.owners.parts[part].what.coordinates;
  for (const std::size_t k : prepared_.reduction.reaching[part])
    if (rank_of(processor_of(k)) == ranks_->rank())
      ranks_->send(rank_of(owner), std::make_shared<Bytes>(to_message(cut(*mine.at(k), region))));
}

LocalPart Reduction::collected(std::size_t part, std::int64_t owner, const Contributions& mine) {
  const std::vector<IndexSet>& region = prepared_.reduction.owners.parts[part].what.coordinates;
  std::vector<LocalPart> parts;
  if (prepared_.accumulates) parts.push_back(old_values(part));
  for (const std::size_t k : prepared_.reduction.reaching[part]) {
    const std::int64_t from = processor_of(k);
    const std::vector<IndexSet>& computed = prepared_.reduction.contributions[k].region;
    parts.push_back(rank_of(from) == ranks_->rank()
                        ? cut(*mine.at(k), region)
                        : from_message(ranks_->receive(rank_of(from)), common(computed, region), shape_));
    count(traffic_, prepared_.plan.machine, bytes_to_send(parts.back()), from, owner);
  }
  return prepared_.reduction.adds ? add_up(parts, region, shape_) : join(parts, region, shape_);
}

/// What the result held before, which its owner has.
LocalPart Reduction::old_values(std::size_t part) {
  const TensorPlacement::Part& owned = prepared_.reduction.owners.parts[part];
  LocalPart old =
      old_->is_whole() ? local_part(old_->whole(), owned.what) : old_->part(static_cast<std::int64_t>(part));
  old.storage = convert_type(convert(old.storage, shape_.format), shape_.type);
  return old;
}

}  // namespace lacuna

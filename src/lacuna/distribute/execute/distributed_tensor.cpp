#include "lacuna/distribute/execute/distributed_tensor.h"

#include <algorithm>

#include "lacuna/distribute/communicate/wire.h"
#include "lacuna/tensor/build.h"

namespace lacuna {

DistributedTensor::DistributedTensor(const Storage& tensor, const Distribution& distribution, const std::string& name,
                                     const Communicator& ranks)
    : dimensions_(tensor.dimensions), processors_(distribution.machine().processors()) {
  const Partition cut = partition(tensor, distribution, name);
  whole_ = cut.tensor();
  shape_ = shape_of(*whole_);
  placement_ = placement_of(cut);
  for (std::int64_t c = 0; c < cut.colours(); ++c) {
    const std::vector<std::int64_t>& holders = placement_.parts[static_cast<std::size_t>(c)].processors;
    const bool mine = std::any_of(holders.begin(), holders.end(), [&](std::int64_t p) {
      return rank_of(p, processors_, ranks.ranks()) == ranks.rank();
    });
    if (mine) set_part(c, local_part(*whole_, cut.part(c)));
  }
}

DistributedTensor::DistributedTensor(std::vector<std::int64_t> dimensions, PartShape shape, TensorPlacement placement,
                                     std::int64_t processors)
    : dimensions_(std::move(dimensions)),
      shape_(std::move(shape)),
      placement_(std::move(placement)),
      processors_(processors) {}

Distribution everywhere(int order, const Machine& machine) {
  const std::vector<DistVar> modes(static_cast<std::size_t>(order));
  return {modes, machine, std::vector<DistTarget>(static_cast<std::size_t>(machine.level(0).dimensions()))};
}

TensorPlacement placement_of(const Partition& partition) {
  TensorPlacement placement;
  for (std::int64_t c = 0; c < partition.colours(); ++c)
    placement.parts.push_back({partition.part(c), partition.processors_of(c)});
  return placement;
}

namespace {

/// What rank 0 has, on all.
Storage sent_to_all(const Storage& whole, const DistributedTensor& tensor, Communicator& ranks) {
  const std::vector<IndexSet> all = all_of(tensor.dimensions());
  if (ranks.rank() != 0) return from_message(ranks.receive(0), all, tensor.shape()).storage;
  const auto message = std::make_shared<const Bytes>(to_message({all, whole}));
  for (int r = 1; r < ranks.ranks(); ++r) ranks.send(r, message);
  ranks.finish_sends();
  return whole;
}

}  // namespace

Storage gathered(const DistributedTensor& tensor, Communicator& ranks, Recipients recipients) {
  std::vector<LocalPart> parts;
  const std::vector<TensorPlacement::Part>& placed = tensor.placement().parts;
  for (std::size_t p = 0; p < placed.size(); ++p) {
    const int from = rank_of(placed[p].processors.front(), tensor.processors(), ranks.ranks());
    const auto number = static_cast<std::int64_t>(p);
    if (from == 0 && ranks.rank() == 0) parts.push_back(tensor.part(number));
    else if (ranks.rank() == 0)
      parts.push_back(from_message(ranks.receive(from), placed[p].what.coordinates, tensor.shape()));
    else if (ranks.rank() == from) ranks.send(0, std::make_shared<Bytes>(to_message(tensor.part(number))));
  }
  ranks.finish_sends();
  const Storage whole = ranks.rank() == 0
                            ? join(parts, all_of(tensor.dimensions()), tensor.shape()).storage
                            : empty_tensor(tensor.shape().type, tensor.dimensions(), tensor.shape().format);
  return recipients == Recipients::All && ranks.ranks() > 1 ? sent_to_all(whole, tensor, ranks) : whole;
}

}  // namespace lacuna

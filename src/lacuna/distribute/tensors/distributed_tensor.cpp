#include "lacuna/distribute/tensors/distributed_tensor.h"

#include <algorithm>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/wire.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

Storage arrays_of(const Storage& tensor) {
  return tensor.format.has_nodes() ? convert(tensor, array_format_of(tensor.format)) : tensor;
}

/// Of each memory that a colour is in, the first processor.
std::vector<std::int64_t> holders_of(const Distribution& distribution, std::int64_t colours, std::int64_t colour) {
  std::vector<std::int64_t> holders = processors_of_colour(distribution, colours, colour);
  for (std::int64_t& p : holders) p = distribution.machine().first_beside(p);
  holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
  return holders;
}

}  // namespace

DistributedTensor::DistributedTensor(const Storage& tensor, const Distribution& distribution, const std::string& name,
                                     const Communicator& ranks)
    : rank_(ranks.rank()), ranks_(ranks.ranks()) {
  const Partition cut = partition(tensor, distribution, name);
  whole_ = cut.tensor();
  TensorLayout layout{tensor.dimensions, tensor.format, shape_of(*whole_), {}, distribution.machine(), distribution};
  for (std::int64_t c = 0; c < cut.colours(); ++c)
    layout.placement.parts.push_back({cut.part(c), holders_of(distribution, cut.colours(), c)});
  layout_ = std::make_shared<const TensorLayout>(std::move(layout));
  cut_parts();
}

DistributedTensor::DistributedTensor(const Storage& tensor, const DistributedTensor& other)
    : layout_(other.layout_), rank_(other.rank_), ranks_(other.ranks_), whole_(arrays_of(tensor)) {
  cut_parts();
}

DistributedTensor::DistributedTensor(std::shared_ptr<const TensorLayout> layout, const Communicator& ranks)
    : layout_(std::move(layout)), rank_(ranks.rank()), ranks_(ranks.ranks()) {}

void DistributedTensor::cut_parts() {
  for (std::size_t p = 0; p < placement().parts.size(); ++p) {
    const std::vector<std::int64_t>& holders = placement().parts[p].processors;
    if (std::any_of(holders.begin(), holders.end(), [&](std::int64_t h) { return is_mine(h); }))
      set_part(static_cast<std::int64_t>(p), local_part(*whole_, placement().parts[p].what));
  }
}

void DistributedTensor::count_stored(Communicator& ranks) {
  if (shape().format.is_dense()) {
    stored_ = 1;
    for (const std::int64_t n : dimensions()) stored_ *= n;
    return;
  }
  std::int64_t mine = 0;
  for (const auto& [number, part] : parts_)
    if (is_counted_here(number)) mine += part.storage.stored();
  stored_ = ranks.ranks() == 1 ? mine : sums_over(ranks, {mine})[0];
}

/// By the rank of its first processor.
bool DistributedTensor::is_counted_here(std::int64_t part) const {
  return is_mine(placement().parts[static_cast<std::size_t>(part)].processors.front());
}

void DistributedTensor::share_values(std::int64_t number, std::size_t at) const {
  if (is_whole() || is_adopted_) return;
  parts_.at(number).storage.values.share(at);
}

std::vector<std::int64_t> DistributedTensor::parts_counted_here() const {
  std::vector<std::int64_t> counted;
  for (const auto& [number, part] : parts_)
    if (is_counted_here(number)) counted.push_back(number);
  return counted;
}

std::vector<std::size_t> DistributedTensor::parts_placed_here() const {
  std::vector<std::size_t> numbers;
  const std::vector<TensorPlacement::Part>& all = placement().parts;
  for (std::size_t p = 0; p < all.size(); ++p)
    if (std::any_of(all[p].processors.begin(), all[p].processors.end(), [&](std::int64_t q) { return is_mine(q); }))
      numbers.push_back(p);
  return numbers;
}

int DistributedTensor::rank_of(std::int64_t processor) const { return lacuna::rank_of(processor, machine(), ranks_); }

Distribution everywhere(int order, const Machine& machine) {
  const std::vector<DistVar> modes(static_cast<std::size_t>(order));
  return {modes, machine, std::vector<DistTarget>(static_cast<std::size_t>(machine.level(0).dimensions()))};
}

TensorPlacement placement_of(const Distribution& distribution, const Format& format, const Restriction& whole,
                             PositionCounter& counter) {
  TensorPlacement placement;
  std::vector<Restriction> colours = colours_of(format, whole, distribution, counter);
  const std::int64_t count = std::ssize(colours);
  for (std::int64_t c = 0; c < count; ++c)
    placement.parts.push_back({std::move(colours[static_cast<std::size_t>(c)]), holders_of(distribution, count, c)});
  return placement;
}

TensorLayout layout_in_blocks(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                              const Distribution& distribution) {
  const Format arrays = array_format_of(format);
  BlockCounter counter(arrays);
  TensorLayout layout{dimensions, format, {arrays, type, Scalar::zero(type)}, {}, distribution.machine(), distribution};
  layout.placement = placement_of(distribution, arrays, whole_of(dimensions), counter);
  if (counts_positions(distribution, arrays)) layout.distribution.reset();
  return layout;
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
  if (tensor.is_whole()) return tensor.whole();
  std::vector<LocalPart> parts;
  const std::vector<TensorPlacement::Part>& placed = tensor.placement().parts;
  for (std::size_t p = 0; p < placed.size(); ++p) {
    const int from = tensor.rank_of(placed[p].processors.front());
    const auto number = static_cast<std::int64_t>(p);
    if (from == 0 && ranks.rank() == 0) parts.push_back(tensor.part(number));
    else if (ranks.rank() == 0)
      parts.push_back(from_message(ranks.receive(from), placed[p].what.coordinates, tensor.shape()));
    else if (ranks.rank() == from) ranks.send(0, std::make_shared<Bytes>(to_message(tensor.part(number))));
  }
  ranks.finish_sends();
  // Elsewhere, not all formats could be without entries, and dense ones would take memory for zeros.
  const Format nothing = coo_format(static_cast<int>(tensor.dimensions().size()));
  const Storage whole = ranks.rank() == 0 ? join(parts, all_of(tensor.dimensions()), tensor.shape()).storage
                                          : empty_tensor(tensor.shape().type, tensor.dimensions(), nothing);
  return recipients == Recipients::All && ranks.ranks() > 1 ? sent_to_all(whole, tensor, ranks) : whole;
}

}  // namespace lacuna

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/parts/local_part.h"
#include "lacuna/distribute/parts/partition.h"
#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// What all ranks know of a tensor that lies in parts.
struct TensorLayout {
  std::vector<std::int64_t> dimensions;
  Format format;    // of the tensor
  PartShape shape;  // of its parts: levels with nodes are kept as ordered arrays
  TensorPlacement placement;
  Machine machine;
  std::optional<Distribution> distribution = {};  // that the placement follows, if it follows one
};

/// A tensor whose parts lie in the memories of a machine's processors, which the ranks of a communicator play. A rank
/// has the parts of its processors; of one that it was given in whole, it knows the whole, too.
class DistributedTensor {
 public:
  /// One that is known in whole, on every rank. Throws Error where the tensor's format does not allow the distribution.
  DistributedTensor(const Storage& tensor, const Distribution& distribution, const std::string& name,
                    const Communicator& ranks);
  /// Another such tensor, with the same entries but for their values, where that one lies.
  DistributedTensor(const Storage& tensor, const DistributedTensor& other);
  /// One that nobody knows in whole, without parts yet, which come by set_part. Those that lie alike share a layout.
  DistributedTensor(std::shared_ptr<const TensorLayout> layout, const Communicator& ranks);
  DistributedTensor(TensorLayout layout, const Communicator& ranks)
      : DistributedTensor(std::make_shared<const TensorLayout>(std::move(layout)), ranks) {}

  const TensorLayout& layout() const { return *layout_; }
  const std::vector<std::int64_t>& dimensions() const { return layout_->dimensions; }
  const Format& format() const { return layout_->format; }
  const PartShape& shape() const { return layout_->shape; }
  const TensorPlacement& placement() const { return layout_->placement; }
  const Machine& machine() const { return layout_->machine; }
  const std::optional<Distribution>& distribution() const { return layout_->distribution; }

  /// Its arrays are a program's own, which may write to them between statements.
  bool is_adopted() const { return is_adopted_; }
  void set_adopted() { is_adopted_ = true; }

  bool is_whole() const { return whole_.has_value(); }
  /// All of it, its levels as the shape has them. Only of one that is known in whole.
  const Storage& whole() const { return *whole_; }
  /// How many entries are stored, in all.
  std::int64_t stored() const { return whole_ ? whole_->stored() : stored_; }
  /// Counts them; after the last set_part. Collective.
  void count_stored(Communicator& ranks);

  /// A part, as each of its processors has it. Only those of this rank are here.
  const LocalPart& part(std::int64_t number) const { return parts_.at(number); }
  void set_part(std::int64_t number, LocalPart&& part) { parts_.insert_or_assign(number, std::move(part)); }
  void set_part(std::int64_t number, const LocalPart& part) { parts_[number] = part; }
  const std::map<std::int64_t, LocalPart>& parts() const { return parts_; }
  /// Moves the values of a part to where other processes of this computer may read them, too (Array::shared_copy), if
  /// they are the tensor's own. Whoever holds them where they were keeps them there.
  void share_values(std::int64_t number, std::size_t at) const;
  /// Those of which this rank plays the first processor: each part is so on one rank.
  std::vector<std::int64_t> parts_counted_here() const;

  /// Those of the processors that this rank plays, whether they are here already or not.
  std::vector<std::size_t> parts_placed_here() const;

  /// The rank that plays a processor of its machine, and whether that is this one.
  int rank_of(std::int64_t processor) const;
  bool is_mine(std::int64_t processor) const { return rank_of(processor) == rank_; }
  bool is_counted_here(std::int64_t part) const;
  /// Whether these ranks hold it, each the parts that it would have.
  bool is_held_by(const Communicator& ranks) const { return ranks.rank() == rank_ && ranks.ranks() == ranks_; }
  /// Whether all of it is on this rank, in parts.
  bool is_alone() const { return ranks_ == 1; }

 private:
  void cut_parts();

  std::shared_ptr<const TensorLayout> layout_;
  int rank_, ranks_;
  mutable std::map<std::int64_t, LocalPart> parts_;  // where values lie may change, which entries there are does not
  std::optional<Storage> whole_;
  std::int64_t stored_ = 0;
  bool is_adopted_ = false;
};

using DistributedTensorPtr = std::shared_ptr<const DistributedTensor>;

/// All of a tensor on every processor, as nobody said otherwise.
Distribution everywhere(int order, const Machine& machine);

/// Where a distribution puts the parts of a tensor of this format.
TensorPlacement placement_of(const Distribution& distribution, const Format& format, const Restriction& whole,
                             PositionCounter& counter);

/// How a tensor lies that entries are collected for: where a distribution puts them, or, where that counts what is
/// stored
/// (`~`), in blocks, to be placed anew when all is there.
TensorLayout layout_in_blocks(const std::vector<std::int64_t>& dimensions, const Format& format, Type type,
                              const Distribution& distribution);

/// Which ranks get a tensor in one piece.
enum class Recipients : std::uint8_t { First, All };

/// The tensor in one piece on rank 0, or on all; elsewhere a coordinate tensor of its dimensions without entries.
/// Collective.
Storage gathered(const DistributedTensor& tensor, Communicator& ranks, Recipients recipients);

}  // namespace lacuna

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/distribute/communicate/communicator.h"
#include "lacuna/distribute/part/local_part.h"
#include "lacuna/distribute/partition/partition.h"
#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// A tensor whose parts lie in the memories of a machine's processors, which the ranks of a communicator play. A rank
/// has the parts of its processors. Levels with nodes are kept as ordered arrays.
class DistributedTensor {
 public:
  /// The parts that a rank has of a tensor that it knows in whole. Throws Error where the tensor's format does not
  /// allow the distribution.
  DistributedTensor(const Storage& tensor, const Distribution& distribution, const std::string& name,
                    const Communicator& ranks);
  /// One without parts yet, which come by set_part.
  DistributedTensor(std::vector<std::int64_t> dimensions, PartShape shape, TensorPlacement placement,
                    std::int64_t processors);

  const std::vector<std::int64_t>& dimensions() const { return dimensions_; }
  const PartShape& shape() const { return shape_; }
  const TensorPlacement& placement() const { return placement_; }
  std::int64_t processors() const { return processors_; }
  /// All of it. Only of one that was cut.
  const Storage& whole() const { return *whole_; }

  /// A part, as each of its processors has it. Only those of this rank are here.
  const LocalPart& part(std::int64_t number) const { return parts_.at(number); }
  void set_part(std::int64_t number, LocalPart part) { parts_.insert_or_assign(number, std::move(part)); }

 private:
  std::vector<std::int64_t> dimensions_;
  PartShape shape_;
  TensorPlacement placement_;
  std::int64_t processors_;
  std::map<std::int64_t, LocalPart> parts_;
  std::optional<Storage> whole_;
};

/// All of a tensor on every processor, as nobody said otherwise.
Distribution everywhere(int order, const Machine& machine);

/// Where a partition has its parts.
TensorPlacement placement_of(const Partition& partition);

/// Which ranks get a tensor in one piece.
enum class Recipients : std::uint8_t { First, All };

/// The tensor in one piece on rank 0, or on all; elsewhere one of its shape without entries. Collective.
Storage gathered(const DistributedTensor& tensor, Communicator& ranks, Recipients recipients);

}  // namespace lacuna

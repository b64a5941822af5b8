#pragma once

#include <string>
#include <vector>

#include "lacuna/distribute/part/local_part.h"
#include "lacuna/distribute/partition/partition.h"
#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// A tensor whose parts lie in the memories of a machine's processors. Levels with nodes are kept as ordered arrays.
class DistributedTensor {
 public:
  /// Cuts a tensor up and hands the parts out. Throws Error where its format does not allow the distribution.
  DistributedTensor(const Storage& tensor, const Distribution& distribution, const std::string& name);

  const Storage& whole() const { return partition_.tensor(); }
  const TensorPlacement& placement() const { return placement_; }
  /// The part of a colour, as each of its processors has it.
  const LocalPart& part(std::int64_t colour) const { return parts_[static_cast<std::size_t>(colour)]; }

 private:
  Partition partition_;
  TensorPlacement placement_;
  std::vector<LocalPart> parts_;
};

/// All of a tensor on every processor, as nobody said otherwise.
Distribution everywhere(int order, const Machine& machine);

}  // namespace lacuna

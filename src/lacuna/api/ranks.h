#pragma once

#include <string>
#include <vector>

#include "lacuna/api/placed_format.h"
#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

class DistributedTensor;
using DistributedTensorPtr = std::shared_ptr<const DistributedTensor>;

// Tensors that ranks make together, each with a share of the entries.

/// The parts that this rank has of a tensor that is placed so, in order: by part, the coordinates of each mode. Throws
/// Error where its distribution counts what is stored (`~`), which is known when it is there.
std::vector<std::vector<IndexSet>> local_parts(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format,
                                               const Communicator& ranks);

/// What Tensor::read and Tensor::from_parts do, whatever the type. Collective.
/// `name`: of the tensor, for messages; if empty, the file's.
DistributedTensorPtr read_parts(const std::string& path, const PlacedFormat& format, Type type, const std::string& name,
                                Communicator& ranks);
DistributedTensorPtr adopted_parts(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format, Type type,
                                   const std::vector<Storage>& parts, const std::string& name, Communicator& ranks);

}  // namespace lacuna

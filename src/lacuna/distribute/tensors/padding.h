#pragma once

#include <optional>
#include <string>

#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

// A dense level under a sparse one stores whole stretches, zeros included, under each coordinate that the sparse one
// has. Where a machine cuts the stretches (the columns of rows that are kept as compressed, dense), a part that is made
// of its own entries lacks those under coordinates at which only other parts have entries. Both calls are collective.

/// Adds what parts lack, as the tensor's fill.
void add_padding(DistributedTensor& tensor, Communicator& ranks);

/// What a part of this rank lacks, for a message, if anything.
std::optional<std::string> missing_padding(const DistributedTensor& tensor, Communicator& ranks);

}  // namespace lacuna

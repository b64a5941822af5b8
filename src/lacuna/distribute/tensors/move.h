#pragma once

#include <string>

#include "lacuna/distribute/plan/traffic.h"
#include "lacuna/distribute/tensors/distributed_tensor.h"

namespace lacuna {

/// The tensor with its parts elsewhere: each is put together from those that reach into it, which come from the nearest
/// processors that hold them; what lies right does not move. `layout` has its dimensions, format and shape. Adds what
/// moves to `traffic`. Collective; to be called where an exception ends all ranks (or_abort).
DistributedTensor moved(const DistributedTensor& tensor, TensorLayout layout, Communicator& ranks, Traffic& traffic);

/// The same, to where a distribution puts them; what it counts (`~`) is counted where it lies, in the order of the
/// coordinates. Throws the same Error on every rank where the tensor's format does not allow that, and where these are
/// not the ranks that hold it; ends all ranks where one fails later. `name` is the tensor's in messages. Collective.
DistributedTensor placed_anew(const DistributedTensor& tensor, const Distribution& distribution,
                              const std::string& name, Communicator& ranks, Traffic* traffic = nullptr);

}  // namespace lacuna

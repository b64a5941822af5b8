#pragma once

#include <map>
#include <string>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Throws the same Error on every rank, naming the tensor, unless all ranks have the same tensors in whole: the same
/// entries, and values that are the same up to rounding, since each rank may have computed its own. Takes one pass over
/// them, and a few bytes a tensor. Collective.
void check_replicated(const std::map<std::string, Storage>& tensors, Communicator& ranks);

}  // namespace lacuna

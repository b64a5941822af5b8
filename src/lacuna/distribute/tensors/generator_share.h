#pragma once

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/tensor/generate.h"

namespace lacuna {

/// That of each rank, where all generate a tensor together: collective. What they make goes to where it belongs by
/// `contributed`. The ranks outlive it.
GeneratorShare share_of(Communicator& ranks);

}  // namespace lacuna

#pragma once

#include "lacuna/distribute/comm/communicator.h"

namespace lacuna {

/// The ranks that `mpirun` started, or one process by itself where it did not start this one. To be made and used by
/// the main thread; its end is collective. Begins MPI, and ends it with the ranks, unless the program began it before
/// (MPI_Init), as one does that uses other libraries of MPI's: then the program ends it. Throws Error where MPI ended,
/// and where mpirun started this process and Lacuna was built without MPI.
std::unique_ptr<Communicator> world();

}  // namespace lacuna

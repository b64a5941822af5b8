#pragma once

#include <cstdint>
#include <memory>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/comm/failures.h"

namespace lacuna {

/// The ranks that `mpirun` started, or one process by itself where it did not start this one. To be made and used by
/// the main thread; its end is collective. Begins MPI, and ends it with the ranks, unless the program began it before
/// (MPI_Init), as one does that uses other libraries of MPI's: then the program ends it. Throws Error where MPI ended,
/// and RuntimeFailure where mpirun started this process and MPI is not found (LACUNA_MPICC).
std::unique_ptr<Communicator> world();

/// The ranks of a communicator of the program's, for languages other than C++ (there: world(comm) of api/mpi.h, which
/// says more). `handle`: the bytes of the MPI_Comm, and zeros. Throws Error unless it is one that may be used.
/// Collective.
std::unique_ptr<Communicator> ranks_of(std::uint64_t handle, Failures failures);

}  // namespace lacuna

#include "lacuna/api/mpi.h"

#include "lacuna/distribute/comm/mpi_ranks.h"

namespace lacuna {

std::unique_ptr<Communicator> world(MPI_Comm comm, Failures failures) { return ranks_of(comm, failures); }

}  // namespace lacuna

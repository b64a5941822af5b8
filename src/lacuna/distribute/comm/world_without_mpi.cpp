#include "lacuna/distribute/comm/launched.h"
#include "lacuna/distribute/comm/world.h"
#include "lacuna/support/check.h"

namespace lacuna {

std::unique_ptr<Communicator> world() {
  if (is_launched_by_mpi())
    user_error(
        "mpirun started this process, but Lacuna was built without MPI; install libopenmpi-dev and build it again");
  return alone();
}

}  // namespace lacuna

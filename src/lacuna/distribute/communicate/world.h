#pragma once

#include "lacuna/distribute/communicate/communicator.h"

namespace lacuna {

/// The ranks that `mpirun` started, or one process by itself where it did not start this one. To be made once, by the
/// main thread, which alone may use it; its end is collective. Throws Error where mpirun started this process and
/// Lacuna was built without MPI.
std::unique_ptr<Communicator> world();

}  // namespace lacuna

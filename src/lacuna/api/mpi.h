#pragma once

/// For programs that use MPI themselves, beside lacuna.h, which does not include <mpi.h>:
///
///     MPI_Init(&argc, &argv);
///     MPI_Comm half;
///     MPI_Comm_split(MPI_COMM_WORLD, color, 0, &half);
///     {
///       const std::unique_ptr<Communicator> ranks = world(half, Failures::Throw);
///       y(i) = A(i, j) * x(j);
///       y.evaluate({.ranks = ranks.get()});
///     }                                      // before MPI_Comm_free and MPI_Finalize
///     MPI_Comm_free(&half);
///     MPI_Finalize();

#ifndef LACUNA_HAS_MPI
#error "lacuna/api/mpi.h: Lacuna was built without MPI; install MPI (libopenmpi-dev) and configure Lacuna again"
#endif

#include <memory>

#include "lacuna/distribute/comm/communicator.h"
#include "lacuna/distribute/comm/failures.h"
#include "lacuna/distribute/comm/mpi_calls.h"

namespace lacuna {

/// The ranks of an intracommunicator, numbered as there, for a program that has begun MPI and ends it. The communicator
/// is duplicated, so that Lacuna's messages and the program's never mix. A program may have several such objects at
/// once, also of the same communicator. Made, used and destroyed by the processes of the communicator together, by one
/// thread at a time, the main one unless MPI allows another. With Failures::Throw, what fails on one rank throws the
/// same error on all of them. Throws Error where MPI has not begun or was ended, for MPI_COMM_NULL and for
/// intercommunicators.
std::unique_ptr<Communicator> world(MPI_Comm comm, Failures failures = Failures::Abort);

}  // namespace lacuna

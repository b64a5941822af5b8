#pragma once

/// For programs that use MPI themselves and link with it, beside lacuna.h, which does not include <mpi.h>:
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

#include <cstdint>
#include <cstring>
#include <memory>

// The C interface alone: that of C++ would have to be linked, too.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include "lacuna/distribute/comm/world.h"

namespace lacuna {

/// The ranks of an intracommunicator, numbered as there, for a program that has begun MPI and ends it. The communicator
/// is duplicated, so that Lacuna's messages and the program's never mix. A program may have several such objects at
/// once, also of the same communicator. Made, used and destroyed by the processes of the communicator together, by one
/// thread at a time, the main one unless MPI allows another. With Failures::Throw, what fails on one rank throws the
/// same error on all of them. Lacuna finds the program's MPI by the compiler mpicc (LACUNA_MPICC). Throws Error where
/// MPI has not begun or was ended, for MPI_COMM_NULL and for intercommunicators, and RuntimeFailure where there is no
/// mpicc.
inline std::unique_ptr<Communicator> world(MPI_Comm comm, Failures failures = Failures::Abort) {
  std::uint64_t handle = 0;
  static_assert(sizeof comm <= sizeof handle);
  std::memcpy(&handle, &comm, sizeof comm);
  return ranks_of(handle, failures);
}

}  // namespace lacuna

#pragma once

#include "lacuna/distribute/mpi/calls.h"

namespace lacuna {

using MpiComm = lacuna_mpi_comm;
using MpiRequest = lacuna_mpi_request;

/// MPI's calls, by the MPI of the compiler mpicc (LACUNA_MPICC), which compiles them when they are first asked for, and
/// keeps them as kernels are kept. So one build of Lacuna serves every MPI, and needs none. Throws RuntimeFailure where
/// there is no such compiler, or it fails.
const lacuna_mpi_calls& mpi();

/// Whether the program is linked with an MPI that it has begun. Asks neither mpicc nor an MPI that another part of the
/// program keeps to itself, as a module of Python's does.
bool program_has_begun_mpi();

}  // namespace lacuna

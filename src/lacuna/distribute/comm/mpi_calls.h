#pragma once

// The C interface alone: that of C++ would have to be linked, too.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

namespace lacuna {

inline bool mpi_is_begun() {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag != 0;
}

inline bool mpi_is_over() {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag != 0;
}

}  // namespace lacuna

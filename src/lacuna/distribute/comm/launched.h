#pragma once

namespace lacuna {

/// Whether mpirun, or what takes its place on a cluster, started this process.
bool is_launched_by_mpi();

/// Which rank this process is to be, as its environment says; 0 where it does not.
int launched_rank();

/// How many ranks run on this computer, this one among them: they share its processors.
int ranks_on_this_computer();

/// How many of them there are to a processor; 1 where each has one to itself.
double ranks_per_processor();

}  // namespace lacuna

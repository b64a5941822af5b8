#pragma once

namespace lacuna {

/// The ranks that mpirun started on this computer, as far as the system tells. Of Open MPI's.
struct LocalRanks {
  int started = 0;  // how many there were to be; 0 where the system does not tell
  int running = 0;
  int first = 0;  // the least of the running ones
  int mine = 0;

  /// Some ended, and this rank is the one to say so.
  bool is_to_report_an_end() const { return running < started && mine == first; }
};

/// Looks at the environments of all processes: a rank runs as long as there is one with its number. Tells nothing where
/// other ranks may be out of sight, as in containers.
LocalRanks local_ranks();

}  // namespace lacuna

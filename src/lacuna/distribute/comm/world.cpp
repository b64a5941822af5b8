#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "lacuna/distribute/comm/deadline.h"
#include "lacuna/distribute/comm/launched.h"
#include "lacuna/distribute/comm/local_ranks.h"
#include "lacuna/distribute/comm/mpi_ranks.h"
#include "lacuna/distribute/comm/world.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Begins MPI unless the program did; then ends it, too.
class BegunMpi {
 public:
  BegunMpi() {
    if (mpi().is_over() != 0)
      user_error("the program ended MPI (MPI_Finalize) and asks for its ranks; make world() before");
    begins_ = mpi().is_begun() == 0;
    if (begins_) {
      give_way_where_processors_are_shared();
      begin();
    }
  }
  ~BegunMpi() {
    if (begins_ && mpi().is_over() == 0) mpi().end();
  }
  BegunMpi(const BegunMpi&) = delete;
  BegunMpi& operator=(const BegunMpi&) = delete;

 private:
  /// Waits until all ranks begin, also those that come late, but not for one that ended before: mpirun takes an exit
  /// code of 0 for a good end, and does not tell the others.
  static void begin() {
    // Others look later: by then, the first one has ended them.
    const auto between_looks = std::chrono::seconds(2) + std::chrono::seconds(2) * std::min(launched_rank(), 5);
    const Deadline deadline(between_looks,
                            "lacuna: error: a rank ended before it began MPI (world()), for which the others wait; all "
                            "ranks have to run the same program",
                            1, [] { return local_ranks().is_to_report_an_end(); });
    mpi().begin();
  }

  /// Open MPI waits without giving its processor up, which takes ten times as long where others wait for that
  /// processor.
  static void give_way_where_processors_are_shared() {
    if (ranks_per_processor() > 1) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  }

  bool begins_ = true;
};

/// A rank that is short of memory may leave the beginning of all half done. The first rank says it, if it can: it ends
/// the others.
class BegunInTime : public BegunMpi {
 public:
  void begun() { deadline_.reset(); }

 private:
  static std::chrono::milliseconds longest_start() {
    const MpiComm all = mpi().world();
    return std::chrono::seconds(10) + std::chrono::milliseconds(20) * mpi().ranks(all) +
           std::chrono::milliseconds(500) * std::min(mpi().rank(all), 10);
  }

  std::optional<Deadline> deadline_{std::in_place, longest_start(),
                                    "lacuna: error: not all ranks begin: one may be short of memory", 1};
};

/// All ranks, with MPI around them.
class World : private BegunInTime, public MpiRanks {
 public:
  World() : MpiRanks(mpi().world(), Failures::Abort, "the end of the program") { begun(); }
};

}  // namespace

std::unique_ptr<Communicator> world() {
  if (!is_launched_by_mpi() && !program_has_begun_mpi()) return alone();
  return std::make_unique<World>();
}

std::unique_ptr<Communicator> ranks_of(std::uint64_t handle, Failures failures) {
  const MpiComm comm{handle};
  if (mpi().is_over() != 0)
    user_error("the program ended MPI (MPI_Finalize) and asks for its ranks; make world(comm) before");
  if (mpi().is_begun() == 0)
    user_error(
        "MPI has not begun: call MPI_Init before world(comm); world() without a communicator begins it itself. Where "
        "the program did, its MPI is not that of mpicc: set LACUNA_MPICC to the mpicc of the program's MPI");
  if (mpi().is_null(comm) != 0)
    user_error(
        "world(MPI_COMM_NULL): this process has no rank there, as MPI_Comm_split gives it for MPI_UNDEFINED; call "
        "world(comm) on the processes of the communicator only");
  if (mpi().joins_two_groups(comm) != 0)
    user_error(
        "world(comm): an intercommunicator joins two groups of processes; make one group of them with "
        "MPI_Intercomm_merge");
  if (mpi().may_call() == 0)
    user_error(
        "world(comm): the program began MPI for calls from its main thread alone; call it there, or begin MPI with "
        "MPI_Init_thread and MPI_THREAD_SERIALIZED");
  return std::make_unique<MpiRanks>(comm, failures, "the end of the ranks");
}

}  // namespace lacuna

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
    if (mpi_is_over()) user_error("the program ended MPI (MPI_Finalize) and asks for its ranks; make world() before");
    begins_ = !mpi_is_begun();
    if (begins_) {
      give_way_where_processors_are_shared();
      begin();
    }
  }
  ~BegunMpi() {
    if (begins_ && !mpi_is_over()) MPI_Finalize();
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
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
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
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return std::chrono::seconds(10) + std::chrono::milliseconds(20) * ranks +
           std::chrono::milliseconds(500) * std::min(rank, 10);
  }

  std::optional<Deadline> deadline_{std::in_place, longest_start(),
                                    "lacuna: error: not all ranks begin: one may be short of memory", 1};
};

/// All ranks, with MPI around them.
class World : private BegunInTime, public MpiRanks {
 public:
  World() : MpiRanks(MPI_COMM_WORLD, Failures::Abort, "the end of the program") { begun(); }
};

}  // namespace

std::unique_ptr<Communicator> world() {
  if (!is_launched_by_mpi() && !mpi_is_begun()) return alone();
  return std::make_unique<World>();
}

}  // namespace lacuna

// A program of three ranks, two of which compute together; the second of these fails while the first one waits for it.

#include <cstdio>

#include "lacuna/api/lacuna.h"
#include "lacuna/api/mpi.h"
#include "support/failing_ranks.h"

int main(int argc, char** argv) {
  using namespace lacuna;
  MPI_Init(&argc, &argv);
  int rank = 0, never = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : 1, 0, &half);
  if (rank == 0) {
    MPI_Recv(&never, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
  }
  const std::unique_ptr<Communicator> ranks = world(half);
  FailingRanks failing(*ranks);
  const DistVar x;
  Tensor<double> a("a", {4}, {dense_format(1), Distribution({x}, Machine{Grid(2)}, {x})});
  a.insert({0}, 1);
  a.insert({3}, 1);
  if (ranks->rank() == 1) failing.fail_at_send(0);
  a.contribute(failing);
  std::printf("nothing failed\n");
  MPI_Send(&never, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  return 0;
}

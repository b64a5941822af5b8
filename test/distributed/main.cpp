// The tests of statements on machines, in one process or, under mpirun, on ranks that all run the same tests. With
// --throw, on ranks of a program that begins MPI itself, where failures are thrown.

#include <string_view>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/comm/world.h"
#include "support/only_failures.h"

#ifdef LACUNA_TEST_MPI
#include "lacuna/api/mpi.h"
#endif

namespace lacuna {
namespace {

int run_on(std::unique_ptr<Communicator> ranks) {
  test_ranks() = ranks.get();
  only_first_tells(ranks->rank());
  return RUN_ALL_TESTS();
}

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
#ifdef LACUNA_TEST_MPI
  if (argc > 1 && std::string_view(argv[1]) == "--throw") {
    MPI_Init(&argc, &argv);
    const int result = run_on(world(MPI_COMM_WORLD, Failures::Throw));
    MPI_Finalize();
    return result;
  }
#endif
  return run_on(world());
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) { return lacuna::run(argc, argv); }

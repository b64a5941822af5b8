// The tests of Lacuna in a program that begins MPI itself, and ends it.

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "lacuna/api/mpi.h"
#include "lacuna/support/error.h"
#include "support/only_failures.h"

namespace {

/// Where MPI is not running, which no test can be.
int refuses(const std::string& message) {
  try {
    lacuna::world(MPI_COMM_WORLD);
  } catch (const lacuna::Error& error) {
    if (std::string(error.what()).find(message) != std::string::npos) return 0;
    std::fprintf(stderr, "in place of '%s': %s\n", message.c_str(), error.what());
    return 1;
  }
  std::fprintf(stderr, "'%s' is not thrown\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  int failures = refuses("MPI has not begun: call MPI_Init before world(comm)");
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  lacuna::only_first_tells(rank);
  failures += RUN_ALL_TESTS();
  MPI_Finalize();
  failures += refuses("the program ended MPI (MPI_Finalize)");
  return failures;
}

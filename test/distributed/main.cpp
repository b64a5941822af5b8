// The tests of statements on machines, in one process or, under mpirun, on ranks that all run the same tests.

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/comm/world.h"
#include "support/only_failures.h"

namespace lacuna {
namespace {

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::unique_ptr<Communicator> ranks = world();
  test_ranks() = ranks.get();
  only_first_tells(ranks->rank());
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) { return lacuna::run(argc, argv); }

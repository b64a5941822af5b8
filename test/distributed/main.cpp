// The tests of statements on machines, in one process or, under mpirun, on ranks that all run the same tests.

#include <cstdio>

#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "lacuna/distribute/comm/world.h"

namespace lacuna {
namespace {

/// Only rank 0 tells how it goes; the others tell what goes wrong.
class OnlyFailures : public testing::EmptyTestEventListener {
 public:
  explicit OnlyFailures(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "on rank %d: %s:%d: %s\n", rank_, result.file_name(), result.line_number(), result.message());
  }

 private:
  int rank_;
};

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::unique_ptr<Communicator> ranks = world();
  test_ranks() = ranks.get();
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (ranks->rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new OnlyFailures(ranks->rank()));
  }
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace lacuna

int main(int argc, char** argv) { return lacuna::run(argc, argv); }

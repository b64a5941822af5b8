#pragma once

#include <cstdio>

#include <gtest/gtest.h>

namespace lacuna {

/// Tells what goes wrong on a rank, and nothing else.
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

/// Only rank 0 tells how it goes.
inline void only_first_tells(int rank) {
  if (rank == 0) return;
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new OnlyFailures(rank));
}

}  // namespace lacuna

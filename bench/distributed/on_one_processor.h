#pragma once

#include <sched.h>

namespace lacuna::contest {

/// Keeps a rank on one of the processors that it may use, in turn, as long as this lives. So launchers of MPI do where
/// they are not told otherwise; ranks that the system moves about take now more, now less time for the same.
class OnOneProcessor {
 public:
  explicit OnOneProcessor(int rank);
  ~OnOneProcessor();
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace lacuna::contest

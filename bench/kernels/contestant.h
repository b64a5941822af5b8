#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/kernels/problem.h"

namespace lacuna::contest {

/// One way to do the work of a problem. All of them end alike: the result is complete, sorted and in memory, with no
/// work put off.
struct Contestant {
  std::string name;
  std::function<void()> run;        // this is what is timed
  std::function<Storage()> result;  // what the last run computed, for checking
  std::function<void()> clear;      // before each run, not timed: frees the last result; may be empty
};

/// A library, or the textbook loops: hands out a contestant for each problem whose operation it offers.
struct Peer {
  std::string name;  // with its version, as the library says it
  bool present = false;
  std::function<std::optional<Contestant>(const Problem&, int threads)> enter;  // empty unless present
};

/// Stands for a library that was not found when the benchmarks were configured.
inline Peer missing_peer(const std::string& name) { return {name, false, {}}; }

Peer textbook_peer();
Peer eigen_peer();
Peer graphblas_peer();
Peer rsb_peer();
Peer petsc_peer();
Peer mkl_peer();

/// The contestant whose state, a `Race` with members run() and result(), lives as long as it does.
template <typename Race>
Contestant contestant_of(const std::string& name, std::shared_ptr<Race> race) {
  Contestant c{name, [race] { race->run(); }, [race] { return race->result(); }, {}};
  if constexpr (requires { race->clear(); }) c.clear = [race] { race->clear(); };
  return c;
}

}  // namespace lacuna::contest

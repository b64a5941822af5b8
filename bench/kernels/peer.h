#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bench/contest/contestant.h"
#include "bench/kernels/problem.h"

namespace lacuna::contest {

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

}  // namespace lacuna::contest

// Which textbook loop serves which operation.

#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

std::optional<Contestant> enter(const Problem& problem, int threads) {
  switch (problem.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns:
    case Operation::SpmvSparse: return spmv_loop(problem, threads);
    default: return std::nullopt;
  }
}

}  // namespace

Peer textbook_peer() { return {"textbook", true, enter}; }

}  // namespace lacuna::contest

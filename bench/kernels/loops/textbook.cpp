// Which textbook loop serves which operation.

#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

Contestant enter(const Problem& problem, int threads) {
  switch (problem.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns:
    case Operation::SpmvSparse: return spmv_loop(problem, threads);
    case Operation::Spmm: return spmm_loop(problem, threads);
    case Operation::Sddmm: return sddmm_loop(problem, threads);
    case Operation::Mttkrp:
    case Operation::Ttm:
    case Operation::Ttv: return tensor_loop(problem, threads);
    case Operation::Add:
    case Operation::Add3:
    case Operation::Multiply:
    case Operation::MultiplyVectors: return merge_loop(problem, threads);
    case Operation::Spgemm:
    case Operation::ProductSum: return product_loop(problem, threads);
    case Operation::Residual:
    case Operation::ScaledSum: return fused_loop(problem, threads);
    default: return conversion_loop(problem);
  }
}

}  // namespace

Peer textbook_peer() { return {"textbook", true, enter}; }

}  // namespace lacuna::contest

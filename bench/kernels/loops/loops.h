#pragma once

#include "bench/kernels/peer.h"

namespace lacuna::contest {

// The loops that a good programmer writes by hand for one operation, in C++ with OpenMP, one family a file; compiled
// with the flags that Lacuna's kernels get. Each serves the operations of its family and no other.

Contestant spmv_loop(const Problem& problem, int threads);
Contestant spmm_loop(const Problem& problem, int threads);
Contestant sddmm_loop(const Problem& problem, int threads);
Contestant tensor_loop(const Problem& problem, int threads);
Contestant merge_loop(const Problem& problem, int threads);
Contestant product_loop(const Problem& problem, int threads);
Contestant fused_loop(const Problem& problem, int threads);
Contestant conversion_loop(const Problem& problem);

}  // namespace lacuna::contest

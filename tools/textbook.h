#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/jit/jit.h"
#include "lacuna/tensor/storage.h"

namespace lacuna::tool {

/// How textbook loops are compiled: as kernels are, and with OpenMP, from which they get their threads.
JitOptions textbook_options();

/// A plain hand-written loop, compiled by the same compiler with the same flags as a kernel of Lacuna, as the other
/// contestant of a comparison. Runs on the arrays of the storages it was made from, which it keeps alive.
class Textbook {
 public:
  /// Runs once; the time in milliseconds.
  double run() const;
  /// What the last run computed, for checking.
  const Storage& result() const { return result_; }

  /// y(i) = A(i,j) * x(j): A in csr, x dense.
  static Textbook spmv(Jit& jit, const Storage& a, const Storage& x, int threads);
  /// A(i,j) = B(i,j) * C(i,k) * D(j,k): B in csr, C and D dense by rows.
  static Textbook sddmm(Jit& jit, const Storage& b, const Storage& c, const Storage& d, int threads);
  /// A(i,l) = B(i,k,j) * C(k,l) * D(j,l): B in csf, C and D dense by rows.
  static Textbook mttkrp(Jit& jit, const Storage& b, const Storage& c, const Storage& d, int threads);

 private:
  CompiledKernel kernel_;
  std::vector<std::int64_t> sizes_;
  std::vector<Array> inputs_;
  Storage result_;
};

}  // namespace lacuna::tool

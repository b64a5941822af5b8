#pragma once

#include <cstdint>
#include <string>

namespace lacuna {

/// Its file.
inline constexpr const char* blas_library = "libopenblas.so.0";

/// The OpenBLAS of this machine, whose matrix products kernels may call.
struct Blas {
  /// cblas_dgemm: c = alpha a b + beta c; orders and transpositions as cblas.h numbers them.
  using Dgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha,
                         const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc);
  Dgemm dgemm = nullptr;
  std::string path;  // of the library that was loaded, to link kernels with
  std::string name;  // such as "OpenBLAS 0.3.21 (SkylakeX)"
};

/// Loads it when first asked; null where there is none, or none that several threads may call at once: one that was
/// built without threads shares its buffers between callers unlocked, and gives wrong products. Each call then uses one
/// thread, unless the program that Lacuna is part of had loaded it before. Debian's 0.3.21 takes recent processors for
/// old ones: where OPENBLAS_CORETYPE does not say otherwise, it is told which instructions there are.
const Blas* blas();

/// What it is told (OPENBLAS_CORETYPE): the kernels for this processor's instructions; null for those it knows.
const char* blas_core_type();

}  // namespace lacuna

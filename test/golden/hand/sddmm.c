/* A = B .* (C D); A has the pattern of B, in CSR; C and D row-major. */
#include "lacuna/codegen/prelude/lacuna_kernel.h"

int32_t kernel(lacuna_context *ctx, lacuna_tensor *A, const lacuna_tensor *B, const lacuna_tensor *C,
               const lacuna_tensor *D) {
  (void)ctx;
  const int64_t rows = B->levels[0].extent;
  const int64_t inner = C->levels[1].extent;
  const int64_t columns = D->levels[1].extent;
  const int32_t *restrict row_start = B->levels[1].pos.data;
  const int32_t *restrict column = B->levels[1].crd.data;
  const double *restrict b = B->vals.data;
  const double *restrict c = C->vals.data;
  const double *restrict d = D->vals.data;
  double *restrict a = A->vals.data;

  for (int64_t i = 0; i < rows; i++) {
    for (int64_t p = row_start[i]; p < row_start[i + 1]; p++) {
      double dot = 0.0;
      for (int64_t k = 0; k < inner; k++) {
        dot += c[i * inner + k] * d[k * columns + column[p]];
      }
      a[p] = b[p] * dot;
    }
  }
  return LACUNA_OK;
}

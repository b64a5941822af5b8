/* y = A x; A in CSR. */
#include "lacuna/codegen/prelude/lacuna_kernel.h"

int32_t kernel(lacuna_context *ctx, lacuna_tensor *y, const lacuna_tensor *A, const lacuna_tensor *x) {
  (void)ctx;
  const int64_t rows = A->levels[0].extent;
  const int32_t *restrict row_start = A->levels[1].pos.data;
  const int32_t *restrict column = A->levels[1].crd.data;
  const double *restrict value = A->vals.data;
  const double *restrict in = x->vals.data;
  double *restrict out = y->vals.data;

  for (int64_t i = 0; i < rows; i++) {
    double sum = 0.0;
    for (int64_t p = row_start[i]; p < row_start[i + 1]; p++) {
      sum += value[p] * in[column[p]];
    }
    out[i] = sum;
  }
  return LACUNA_OK;
}

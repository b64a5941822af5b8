/* A(i,:) = sum over k, l of B(i,k,l) C(k,:) .* D(l,:); B in CSF, the matrices row-major. */
#include "lacuna/codegen/prelude/lacuna_kernel.h"

int32_t kernel(lacuna_context *ctx, lacuna_tensor *A, const lacuna_tensor *B, const lacuna_tensor *C,
               const lacuna_tensor *D) {
  (void)ctx;
  const int64_t rows = A->levels[0].extent;
  const int64_t rank = A->levels[1].extent;
  const int32_t *restrict slices = B->levels[0].pos.data;
  const int32_t *restrict slice = B->levels[0].crd.data;
  const int32_t *restrict fiber_start = B->levels[1].pos.data;
  const int32_t *restrict fiber = B->levels[1].crd.data;
  const int32_t *restrict entry_start = B->levels[2].pos.data;
  const int32_t *restrict entry = B->levels[2].crd.data;
  const double *restrict b = B->vals.data;
  const double *restrict c = C->vals.data;
  const double *restrict d = D->vals.data;
  double *restrict a = A->vals.data;

  for (int64_t n = 0; n < rows * rank; n++) a[n] = 0.0;
  for (int64_t s = slices[0]; s < slices[1]; s++) {
    int64_t i = slice[s];
    for (int64_t f = fiber_start[s]; f < fiber_start[s + 1]; f++) {
      int64_t k = fiber[f];
      for (int64_t e = entry_start[f]; e < entry_start[f + 1]; e++) {
        int64_t l = entry[e];
        for (int64_t j = 0; j < rank; j++) {
          a[i * rank + j] += b[e] * c[k * rank + j] * d[l * rank + j];
        }
      }
    }
  }
  return LACUNA_OK;
}

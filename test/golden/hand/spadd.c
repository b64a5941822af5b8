/* C = A + B, all in CSR: rows are merged, what one of them has left is copied. */
#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/codegen/prelude/memory.h"

int32_t kernel(lacuna_context *ctx, lacuna_tensor *C, const lacuna_tensor *A, const lacuna_tensor *B) {
  const int64_t rows = A->levels[0].extent;
  const int32_t *restrict A_start = A->levels[1].pos.data;
  const int32_t *restrict A_column = A->levels[1].crd.data;
  const double *restrict A_value = A->vals.data;
  const int32_t *restrict B_start = B->levels[1].pos.data;
  const int32_t *restrict B_column = B->levels[1].crd.data;
  const double *restrict B_value = B->vals.data;

  const int64_t most = (int64_t)A_start[rows] + B_start[rows];
  int64_t *start = lacuna_allocate(ctx, rows + 1, sizeof *start);
  if (!start) return LACUNA_OUT_OF_MEMORY;
  int32_t *column = lacuna_allocate(ctx, most, sizeof *column);
  if (!column) return LACUNA_OUT_OF_MEMORY;
  double *value = lacuna_allocate(ctx, most, sizeof *value);
  if (!value) return LACUNA_OUT_OF_MEMORY;
  int64_t count = 0;
  start[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    int64_t a = A_start[i];
    int64_t b = B_start[i];
    const int64_t a_end = A_start[i + 1];
    const int64_t b_end = B_start[i + 1];
    while (a < a_end && b < b_end) {
      int32_t jA = A_column[a];
      int32_t jB = B_column[b];
      if (jA == jB) {
        column[count] = jA;
        value[count] = A_value[a] + B_value[b];
        a++;
        b++;
      } else if (jA < jB) {
        column[count] = jA;
        value[count] = A_value[a];
        a++;
      } else {
        column[count] = jB;
        value[count] = B_value[b];
        b++;
      }
      count++;
    }
    while (a < a_end) {
      column[count] = A_column[a];
      value[count] = A_value[a];
      count++;
      a++;
    }
    while (b < b_end) {
      column[count] = B_column[b];
      value[count] = B_value[b];
      count++;
      b++;
    }
    start[i + 1] = count;
  }
  C->levels[1].positions = count;
  C->levels[1].pos.data = start;
  C->levels[1].crd.data = column;
  C->vals.data = value;
  return LACUNA_OK;
}

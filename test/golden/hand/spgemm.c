/* C = A B, all in CSR, by Gustavson's algorithm: a row of C is gathered in a dense row with a list of what it touches. */
#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/codegen/prelude/memory.h"
#include "lacuna/codegen/prelude/sort.h"

int32_t kernel(lacuna_context *ctx, lacuna_tensor *C, const lacuna_tensor *A, const lacuna_tensor *B) {
  const int64_t rows = A->levels[0].extent;
  const int64_t columns = B->levels[1].extent;
  const int32_t *restrict A_start = A->levels[1].pos.data;
  const int32_t *restrict A_column = A->levels[1].crd.data;
  const double *restrict A_value = A->vals.data;
  const int32_t *restrict B_start = B->levels[1].pos.data;
  const int32_t *restrict B_column = B->levels[1].crd.data;
  const double *restrict B_value = B->vals.data;

  double *row = lacuna_allocate(ctx, columns, sizeof *row);
  if (!row) return LACUNA_OUT_OF_MEMORY;
  int32_t *touched = lacuna_allocate(ctx, columns, sizeof *touched);
  if (!touched) return LACUNA_OUT_OF_MEMORY;
  uint8_t *is_touched = lacuna_allocate_zeroed(ctx, columns, sizeof *is_touched);
  if (!is_touched) return LACUNA_OUT_OF_MEMORY;
  int64_t *start = lacuna_allocate(ctx, rows + 1, sizeof *start);
  if (!start) return LACUNA_OUT_OF_MEMORY;
  int64_t capacity = 1024;
  int32_t *column = lacuna_allocate(ctx, capacity, sizeof *column);
  if (!column) return LACUNA_OUT_OF_MEMORY;
  double *value = lacuna_allocate(ctx, capacity, sizeof *value);
  if (!value) return LACUNA_OUT_OF_MEMORY;
  int64_t count = 0;
  start[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    int64_t width = 0;
    for (int64_t p = A_start[i]; p < A_start[i + 1]; p++) {
      int64_t k = A_column[p];
      for (int64_t q = B_start[k]; q < B_start[k + 1]; q++) {
        int32_t j = B_column[q];
        if (!is_touched[j]) {
          is_touched[j] = 1;
          touched[width++] = j;
          row[j] = 0.0;
        }
        row[j] += A_value[p] * B_value[q];
      }
    }
    if (count + width > capacity) {
      capacity = 2 * capacity > count + width ? 2 * capacity : count + width;
      column = lacuna_resize(ctx, column, capacity, sizeof *column);
      if (!column) return LACUNA_OUT_OF_MEMORY;
      value = lacuna_resize(ctx, value, capacity, sizeof *value);
      if (!value) return LACUNA_OUT_OF_MEMORY;
    }
    lacuna_sort_int32(touched, 0, width);
    for (int64_t n = 0; n < width; n++) {
      int32_t j = touched[n];
      column[count] = j;
      value[count] = row[j];
      count++;
      is_touched[j] = 0;
    }
    start[i + 1] = count;
  }
  ctx->release(ctx->state, row);
  ctx->release(ctx->state, touched);
  ctx->release(ctx->state, is_touched);
  C->levels[1].positions = count;
  C->levels[1].pos.data = start;
  C->levels[1].crd.data = column;
  C->vals.data = value;
  return LACUNA_OK;
}

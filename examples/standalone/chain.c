/* Two exported kernels, the second of which takes what the first has made: the cube of the 3 x 3 matrix

       . 2 .
       . . 3
       4 . .

   which is 24 on the diagonal. Kernels make 64-bit positions, so the second one is exported with --widths A:int64,int32. The
   first one, whose A has 32-bit positions, refuses its own result. */
#include <stdio.h>
#include <stdlib.h>

#include "multiply.h"
#include "multiply_made.h"

static void *take(void *state, size_t bytes, int32_t zeroed) {
  (void)state;
  return zeroed ? calloc(1, bytes) : malloc(bytes);
}

static void *take_more(void *state, void *memory, size_t bytes) {
  (void)state;
  return realloc(memory, bytes);
}

static void give_back(void *state, void *memory) {
  (void)state;
  free(memory);
}

static const int64_t dimensions[] = {3, 3};
static const int32_t by_rows[] = {0, 1};

/* A 3 x 3 matrix whose storage a kernel will describe and make. */
static lacuna_tensor matrix_of(lacuna_level *levels) {
  lacuna_tensor matrix = {0};
  matrix.dimensions = dimensions;
  matrix.mode_of_level = by_rows;
  matrix.levels = levels;
  levels[0].extent = levels[0].positions = levels[1].extent = 3;
  return matrix;
}

static void release(lacuna_tensor *matrix) {
  free(matrix->levels[1].pos.data);
  free(matrix->levels[1].crd.data);
  free(matrix->vals.data);
}

int main(void) {
  int32_t pos[] = {0, 1, 2, 3};
  int32_t crd[] = {1, 2, 0};
  double values[] = {2, 3, 4};
  lacuna_level levels[3][2] = {{{0}}};

  lacuna_tensor A = matrix_of(levels[0]);
  A.version = LACUNA_ABI_VERSION;
  A.order = 2;
  A.type = LACUNA_FLOAT64;
  levels[0][0].kind = LACUNA_DENSE;
  levels[0][1].kind = LACUNA_COMPRESSED;
  levels[0][1].positions = 3;
  levels[0][1].pos.data = pos;
  levels[0][1].pos.type = LACUNA_INT32;
  levels[0][1].crd.data = crd;
  levels[0][1].crd.type = LACUNA_INT32;
  A.vals.data = values;
  A.vals.type = LACUNA_FLOAT64;

  lacuna_tensor square_of_A = matrix_of(levels[1]), cube = matrix_of(levels[2]), none = matrix_of(levels[2]);
  lacuna_context context = {NULL, take, take_more, give_back, lacuna_parallel_for, 1};
  if (multiply(&context, &square_of_A, &A, &A) != LACUNA_OK) return 1;
  if (multiply(&context, &none, &square_of_A, &A) != LACUNA_BAD_ARGUMENT) return 2;
  if (multiply_made(&context, &cube, &square_of_A, &A) != LACUNA_OK) return 3;

  const int64_t *rows = cube.levels[1].pos.data;
  const int32_t *columns = cube.levels[1].crd.data;
  const double *cubes = cube.vals.data;
  for (int64_t i = 0; i < 3; i++)
    for (int64_t p = rows[i]; p < rows[i + 1]; p++) printf("(%d,%d) %g\n", (int)i, (int)columns[p], cubes[p]);

  /* Whatever a descriptor says otherwise than the kernel was made for is refused. */
  levels[0][1].crd.type = LACUNA_INT64;
  if (multiply(&context, &none, &A, &A) != LACUNA_BAD_ARGUMENT) return 4;
  levels[0][1].crd.type = LACUNA_INT32;
  A.type = LACUNA_FLOAT32;
  if (multiply(&context, &none, &A, &A) != LACUNA_BAD_ARGUMENT) return 5;
  A.type = LACUNA_FLOAT64;
  levels[0][0].kind = LACUNA_COMPRESSED;
  if (multiply(&context, &none, &A, &A) != LACUNA_BAD_ARGUMENT) return 6;

  release(&square_of_A);
  release(&cube);
  return 0;
}

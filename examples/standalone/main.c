/* A program that knows nothing of Lacuna but the header that `lacuna export` wrote: y = A x with a 3 x 4 matrix

       1 . 2 .
       . . . 3
       4 5 . .
*/
#include <stdio.h>
#include <stdlib.h>

#include "spmv.h"

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

static lacuna_array array_of(void *data, int64_t size, int32_t type) {
  lacuna_array array = {data, size, 0, type, LACUNA_HOST};
  return array;
}

int main(void) {
  enum { int32_elements = 3, float64_elements = 10 };
  const int64_t matrix_dimensions[] = {3, 4};
  const int32_t by_rows[] = {0, 1};
  int32_t pos[] = {0, 2, 3, 5};
  int32_t crd[] = {0, 2, 3, 0, 1};
  double values[] = {1, 2, 3, 4, 5};
  double in[] = {1, 10, 100, 1000};
  double out[3];

  lacuna_level matrix_levels[2] = {{0}};
  matrix_levels[0].kind = LACUNA_DENSE;
  matrix_levels[0].extent = 3;
  matrix_levels[0].positions = 3;
  matrix_levels[1].kind = LACUNA_COMPRESSED;
  matrix_levels[1].extent = 4;
  matrix_levels[1].positions = 5;
  matrix_levels[1].pos = array_of(pos, 4, int32_elements);
  matrix_levels[1].crd = array_of(crd, 5, int32_elements);
  lacuna_tensor A = {LACUNA_ABI_VERSION, 2,       float64_elements,
                     matrix_dimensions,  by_rows, matrix_levels,    array_of(values, 5, float64_elements)};

  lacuna_level in_level = {0};
  in_level.kind = LACUNA_DENSE;
  in_level.extent = in_level.positions = 4;
  lacuna_tensor x = {LACUNA_ABI_VERSION,    1,       float64_elements,
                     &matrix_dimensions[1], by_rows, &in_level,        array_of(in, 4, float64_elements)};

  lacuna_level out_level = {0};
  out_level.kind = LACUNA_DENSE;
  out_level.extent = out_level.positions = 3;
  lacuna_tensor y = {LACUNA_ABI_VERSION, 1,       float64_elements,
                     matrix_dimensions,  by_rows, &out_level,       array_of(out, 3, float64_elements)};

  lacuna_context context = {NULL, take, take_more, give_back, lacuna_parallel_for, 2};
  if (spmv(&context, &y, &A, &x) != LACUNA_OK) return 1;
  printf("%g %g %g\n", out[0], out[1], out[2]);
  return out[0] == 201 && out[1] == 3000 && out[2] == 54 ? 0 : 1;
}

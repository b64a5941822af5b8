#include "lacuna/codegen/prelude/sums.h"

#include "check.h"
#include "lacuna/codegen/prelude/lacuna_parallel.h"

static int released;

static void count(void *state, void *memory) {
  (void)state;
  free(memory);
  released++;
}

static double *filled(int64_t n, double value) {
  double *array = malloc((size_t)n * sizeof *array);
  for (int64_t k = 0; k < n; k++) array[k] = value + (double)k;
  return array;
}

/* Thread 0 has the total itself, and the last one has no array. */
static void adds_what_there_is(int32_t threads, int64_t n) {
  lacuna_context ctx = {.release = count, .parallel_for = lacuna_parallel_for, .threads = threads};
  double *total = filled(n, 0.5);
  double **own = calloc((size_t)threads, sizeof *own);
  own[0] = total;
  for (int32_t thread = 1; thread + 1 < threads; thread++) own[thread] = filled(n, thread);
  released = 0;
  CHECK(lacuna_add_up_float64(&ctx, total, own, n) == LACUNA_OK);
  double sum = 0.5;
  int32_t arrays = 1;
  for (int32_t thread = 1; thread + 1 < threads; thread++, arrays++) sum += thread;
  for (int64_t k = 0; k < n; k++) CHECK(total[k] == sum + (double)(arrays * k));
  CHECK(released == arrays); /* those of the threads but the first, and the list */
  free(total);
}

int main(void) {
  for (int32_t threads = 1; threads <= 5; threads++)
    for (int64_t n = 1; n < 5000; n = 3 * n + 1) adds_what_there_is(threads, n);
  return 0;
}

#include "lacuna/codegen/prelude/sort.h"

#include <string.h>

#include "check.h"

enum { most = 3000 };

static uint64_t state = 1;

static int32_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int32_t)(state >> 33);
}

/* Array `shape` of n elements: random, few values, ascending, descending, equal, ascending then descending. */
static int32_t element(int shape, int32_t k, int32_t n) {
  switch (shape) {
    case 0: return next_random();
    case 1: return next_random() % 5;
    case 2: return k;
    case 3: return -k;
    case 4: return 42;
    default: return k < n / 2 ? k : n - k;
  }
}

static int64_t sum_of(const int32_t *a, int32_t n) {
  int64_t sum = 0;
  for (int32_t k = 0; k < n; k++) sum += (int64_t)a[k] * a[k] % 1000003 + a[k];
  return sum;
}

static void check_sorted(const int32_t *a, int64_t low, int64_t high) {
  for (int64_t k = low + 1; k < high; k++) CHECK(a[k - 1] <= a[k]);
}

static void sorts_all_shapes_and_sizes(void) {
  static int32_t a[most];
  for (int shape = 0; shape < 6; shape++) {
    for (int32_t n = 0; n <= most; n += n < 80 ? 1 : 397) {
      for (int32_t k = 0; k < n; k++) a[k] = element(shape, k, n);
      const int64_t sum = sum_of(a, n);
      lacuna_sort_int32(a, 0, n);
      check_sorted(a, 0, n);
      CHECK(sum_of(a, n) == sum);
    }
  }
}

static void leaves_the_rest_alone(void) {
  int32_t a[] = {9, 8, 7, 6, 5, 4, 3};
  const int32_t expected[] = {9, 8, 5, 6, 7, 4, 3};
  lacuna_sort_int32(a, 2, 5);
  CHECK(memcmp(a, expected, sizeof a) == 0);
  lacuna_sort_int32(a, 3, 3);
  CHECK(memcmp(a, expected, sizeof a) == 0);
}

static void sorts_what_is_marked(void) {
  static int32_t list[most];
  static uint8_t marks[most];
  for (int32_t places = 0; places <= most; places += places < 40 ? 1 : 397) {
    for (int32_t apart = 1; apart <= 4096; apart *= 4) {
      int32_t count = 0;
      for (int32_t k = 0; k < places; k++) marks[k] = k % apart == apart / 2 ? (uint8_t)(1 + k % 3) : 0;
      for (int32_t k = places; k-- > 0;) {
        if (marks[k] != 0) list[count++] = k;
      }
      lacuna_sort_marked_int32(list, count, marks, places);
      for (int32_t n = 0; n < count; n++) CHECK(list[n] == apart / 2 + n * apart);
    }
  }
}

/* The way out of bad pivots, which the shapes above hardly ever take. */
static void heap_sort_sorts(void) {
  static int32_t a[most];
  for (int32_t n = 0; n < 200; n++) {
    for (int32_t k = 0; k < n; k++) a[k] = next_random() % 50;
    const int64_t sum = sum_of(a, n);
    lacuna_sort_range_int32(a, 0, n, 0);
    check_sorted(a, 0, n);
    CHECK(sum_of(a, n) == sum);
  }
}

int main(void) {
  sorts_all_shapes_and_sizes();
  sorts_what_is_marked();
  leaves_the_rest_alone();
  heap_sort_sorts();
  return 0;
}

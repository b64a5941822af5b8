/* Binary search, of all of a range or in steps from its start. Written for int32; a kernel gets the same text for the
 * types that it needs. */
#ifndef LACUNA_PRELUDE_SEARCH_H
#define LACUNA_PRELUDE_SEARCH_H

#include <stdint.h>

/* The first position p in [low, high) with a[p] >= key, or high. The elements ascend. A key may be past what they hold.
 */
static inline int64_t lacuna_lower_bound_int32(const int32_t *a, int64_t low, int64_t high, int64_t key) {
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if ((int64_t)a[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The same, for when the answer is likely close to low: steps from there double until one is too far. */
static inline int64_t lacuna_lower_bound_near_int32(const int32_t *a, int64_t low, int64_t high, int64_t key) {
  int64_t step = 1;
  while (step <= high - low && (int64_t)a[low + step - 1] < key) {
    low += step;
    step *= 2;
  }
  return lacuna_lower_bound_int32(a, low, step <= high - low ? low + step - 1 : high, key);
}

#endif

/* Binary search. Written for int32; a kernel gets the same text for the types that it needs. */
#ifndef LACUNA_PRELUDE_SEARCH_H
#define LACUNA_PRELUDE_SEARCH_H

#include <stdint.h>

/* The first position p in [low, high) with a[p] >= key, or high. The elements ascend. */
static inline int64_t lacuna_lower_bound_int32(const int32_t *a, int64_t low, int64_t high, int32_t key) {
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (a[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

#endif

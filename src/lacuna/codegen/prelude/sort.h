/* Sorting integers in place, O(n log n) in the worst case. Written for int32; a kernel gets the same text for the types
   that it needs. */
#ifndef LACUNA_PRELUDE_SORT_H
#define LACUNA_PRELUDE_SORT_H

#include <stdint.h>

static inline void lacuna_insertion_sort_int32(int32_t *a, int64_t low, int64_t high) {
  for (int64_t i = low + 1; i < high; i++) {
    int32_t x = a[i];
    int64_t k = i;
    for (; k > low && x < a[k - 1]; k--) a[k] = a[k - 1];
    a[k] = x;
  }
}

/* Lets the root of the heap a[0..n) sink to its place. */
static inline void lacuna_sift_down_int32(int32_t *a, int64_t root, int64_t n) {
  int32_t x = a[root];
  for (int64_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
    if (child + 1 < n && a[child] < a[child + 1]) child++;
    if (!(x < a[child])) break;
    a[root] = a[child];
    root = child;
  }
  a[root] = x;
}

static inline void lacuna_heap_sort_int32(int32_t *a, int64_t n) {
  for (int64_t root = n / 2 - 1; root >= 0; root--) lacuna_sift_down_int32(a, root, n);
  for (int64_t last = n - 1; last > 0; last--) {
    int32_t x = a[0];
    a[0] = a[last];
    a[last] = x;
    lacuna_sift_down_int32(a, 0, last);
  }
}

static inline int32_t lacuna_median_int32(int32_t a, int32_t b, int32_t c) {
  if (a < b) return b < c ? b : a < c ? c : a;
  return a < c ? a : b < c ? c : b;
}

/* Splits a[low..high) around a median of three: nothing in [low, result) is greater than anything in [result, high),
   and neither part is empty. */
static inline int64_t lacuna_partition_int32(int32_t *a, int64_t low, int64_t high) {
  int32_t pivot = lacuna_median_int32(a[low], a[low + (high - low) / 2], a[high - 1]);
  int64_t i = low;
  int64_t k = high - 1;
  for (;;) {
    while (a[i] < pivot) i++;
    while (pivot < a[k]) k--;
    if (i >= k) return i > low ? i : low + 1;
    int32_t x = a[i];
    a[i++] = a[k];
    a[k--] = x;
  }
}

/* Quicksort that hands a range to heap sort when it has been split too often, and short ranges to insertion sort. */
static inline void lacuna_sort_range_int32(int32_t *a, int64_t low, int64_t high, int splits_left) {
  while (high - low > 24) {
    if (splits_left-- == 0) {
      lacuna_heap_sort_int32(a + low, high - low);
      return;
    }
    int64_t middle = lacuna_partition_int32(a, low, high);
    if (middle - low < high - middle) {
      lacuna_sort_range_int32(a, low, middle, splits_left);
      low = middle;
    } else {
      lacuna_sort_range_int32(a, middle, high, splits_left);
      high = middle;
    }
  }
  lacuna_insertion_sort_int32(a, low, high);
}

/* Sorts a[low..high) in ascending order. */
static inline void lacuna_sort_int32(int32_t *a, int64_t low, int64_t high) {
  int splits = 0;
  for (int64_t n = high - low; n > 1; n /= 2) splits += 2;
  lacuna_sort_range_int32(a, low, high, splits);
}

/* Sorts list[0..count), the places of what is not zero in marks[0..places): few of them by themselves, many by looking
   at eight marks at a time. The list has room for all places. */
static inline void lacuna_sort_marked_int32(int32_t *list, int64_t count, const uint8_t *marks, int64_t places) {
  if (count < 24 + places / 256) {
    lacuna_sort_int32(list, 0, count);
    return;
  }
  int64_t n = 0;
  int64_t k = 0;
  for (; k + 8 <= places; k += 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, marks + k, 8);
    if (eight == 0) continue;
    for (int64_t at = k; at < k + 8; at++) {
      list[n] = (int32_t)at;
      n += marks[at] != 0;
    }
  }
  for (; k < places; k++) {
    if (marks[k] != 0) list[n++] = (int32_t)k;
  }
}

#endif

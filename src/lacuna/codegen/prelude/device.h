/* What functions of a device use beside convert.h, divide.h and math.h. LACUNA_GLOBAL is the memory of the device; the
   text before says what it is, and how an element is compared and exchanged, by its bits. Names of what it defines for
   a type end with that of the type. No function calls itself. */

static inline int64_t lacuna_lower_bound_int32(LACUNA_GLOBAL const int32_t *a, int64_t low, int64_t high, int64_t key) {
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

static inline int64_t lacuna_lower_bound_near_int32(LACUNA_GLOBAL const int32_t *a, int64_t low, int64_t high,
                                                    int64_t key) {
  int64_t step = 1;
  while (step <= high - low && (int64_t)a[low + step - 1] < key) {
    low += step;
    step *= 2;
  }
  return lacuna_lower_bound_int32(a, low, step <= high - low ? low + step - 1 : high, key);
}

/* Lets the root of the heap a[0..n) sink to its place. */
static inline void lacuna_sift_down_int32(LACUNA_GLOBAL int32_t *a, int64_t root, int64_t n) {
  int32_t x = a[root];
  for (int64_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
    if (child + 1 < n && a[child] < a[child + 1]) child++;
    if (!(x < a[child])) break;
    a[root] = a[child];
    root = child;
  }
  a[root] = x;
}

/* Sorts a[low..high) in ascending order: few by insertion, many by a heap. */
static inline void lacuna_sort_int32(LACUNA_GLOBAL int32_t *a, int64_t low, int64_t high) {
  if (high - low <= 24) {
    for (int64_t i = low + 1; i < high; i++) {
      int32_t x = a[i];
      int64_t k = i;
      for (; k > low && x < a[k - 1]; k--) a[k] = a[k - 1];
      a[k] = x;
    }
    return;
  }
  int64_t n = high - low;
  for (int64_t root = n / 2 - 1; root >= 0; root--) lacuna_sift_down_int32(a + low, root, n);
  for (int64_t last = n - 1; last > 0; last--) {
    int32_t x = a[low];
    a[low] = a[low + last];
    a[low + last] = x;
    lacuna_sift_down_int32(a + low, 0, last);
  }
}

static inline void lacuna_atomic_add_int32(LACUNA_GLOBAL int32_t *target, int32_t value) {
  LACUNA_GLOBAL lacuna_bits_int32 *bits = (LACUNA_GLOBAL lacuna_bits_int32 *)target;
  for (lacuna_bits_int32 old = *(LACUNA_GLOBAL volatile lacuna_bits_int32 *)bits, seen;; old = seen) {
    int32_t now = LACUNA_AS_int32(old);
    now = (int32_t)((lacuna_bits_int32)now + (lacuna_bits_int32)value);
    seen = LACUNA_EXCHANGE_int32(bits, old, LACUNA_BITS_int32(now));
    if (seen == old) return;
  }
}

static inline void lacuna_atomic_add_float64(LACUNA_GLOBAL double *target, double value) {
  LACUNA_GLOBAL lacuna_bits_float64 *bits = (LACUNA_GLOBAL lacuna_bits_float64 *)target;
  for (lacuna_bits_float64 old = *(LACUNA_GLOBAL volatile lacuna_bits_float64 *)bits, seen;; old = seen) {
    double now = LACUNA_AS_float64(old);
    now = now + value;
    seen = LACUNA_EXCHANGE_float64(bits, old, LACUNA_BITS_float64(now));
    if (seen == old) return;
  }
}

static inline void lacuna_atomic_or_int32(LACUNA_GLOBAL int32_t *target, int32_t value) {
  LACUNA_GLOBAL lacuna_bits_int32 *bits = (LACUNA_GLOBAL lacuna_bits_int32 *)target;
  for (lacuna_bits_int32 old = *(LACUNA_GLOBAL volatile lacuna_bits_int32 *)bits, seen;; old = seen) {
    int32_t now = LACUNA_AS_int32(old);
    now = now | value;
    seen = LACUNA_EXCHANGE_int32(bits, old, LACUNA_BITS_int32(now));
    if (seen == old) return;
  }
}

static inline void lacuna_atomic_set_float64(LACUNA_GLOBAL double *target, double value) {
  LACUNA_GLOBAL lacuna_bits_float64 *bits = (LACUNA_GLOBAL lacuna_bits_float64 *)target;
  for (lacuna_bits_float64 old = *(LACUNA_GLOBAL volatile lacuna_bits_float64 *)bits, seen;; old = seen) {
    double now = LACUNA_AS_float64(old);
    now = value;
    seen = LACUNA_EXCHANGE_float64(bits, old, LACUNA_BITS_float64(now));
    if (seen == old) return;
  }
}

static inline void lacuna_atomic_min_float64(LACUNA_GLOBAL double *target, double value) {
  LACUNA_GLOBAL lacuna_bits_float64 *bits = (LACUNA_GLOBAL lacuna_bits_float64 *)target;
  for (lacuna_bits_float64 old = *(LACUNA_GLOBAL volatile lacuna_bits_float64 *)bits, seen;; old = seen) {
    double now = LACUNA_AS_float64(old);
    if (!(value < now)) return;
    now = value;
    seen = LACUNA_EXCHANGE_float64(bits, old, LACUNA_BITS_float64(now));
    if (seen == old) return;
  }
}

static inline void lacuna_atomic_max_float64(LACUNA_GLOBAL double *target, double value) {
  LACUNA_GLOBAL lacuna_bits_float64 *bits = (LACUNA_GLOBAL lacuna_bits_float64 *)target;
  for (lacuna_bits_float64 old = *(LACUNA_GLOBAL volatile lacuna_bits_float64 *)bits, seen;; old = seen) {
    double now = LACUNA_AS_float64(old);
    if (!(value > now)) return;
    now = value;
    seen = LACUNA_EXCHANGE_float64(bits, old, LACUNA_BITS_float64(now));
    if (seen == old) return;
  }
}

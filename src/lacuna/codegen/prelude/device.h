/* What functions of a device use beside the other headers. Functions of search.h and sort.h get pointers to memory of
   the device there, LACUNA_GLOBAL; one that is written here takes the place of one of theirs, for no function may call
   itself. The text before says what LACUNA_GLOBAL is, and how an element is compared and exchanged, by its bits. Names
   of what it defines for a type end with that of the type. */

/* Sorts a[low..high) in ascending order: few by insertion, many by a heap. */
static inline void lacuna_sort_int32(LACUNA_GLOBAL int32_t *a, int64_t low, int64_t high) {
  if (high - low <= 24) {
    lacuna_insertion_sort_int32(a, low, high);
  } else {
    lacuna_heap_sort_int32(a + low, high - low);
  }
}

/* What the thread whose number differs in these bits has of a value; all of the block, or of a warp, call it. */
static inline double lacuna_exchange_float64(LACUNA_SHARED unsigned char *room, int64_t bits, double value) {
  if (LACUNA_IN_WARP(bits)) return LACUNA_SHUFFLE(value, bits);
  LACUNA_SHARED double *all = (LACUNA_SHARED double *)room;
  LACUNA_WAIT();
  all[LACUNA_THREAD] = value;
  LACUNA_WAIT();
  return all[LACUNA_THREAD ^ bits];
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

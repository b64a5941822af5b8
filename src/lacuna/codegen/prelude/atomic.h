/* Updates of elements that several threads may touch at once. Written for int32, uint32, float64 and complex128; a
   kernel gets the same text for the types that it needs. */
#ifndef LACUNA_PRELUDE_ATOMIC_H
#define LACUNA_PRELUDE_ATOMIC_H

#include <stdint.h>

static inline void lacuna_atomic_add_int32(int32_t *target, int32_t value) {
  __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
}

static inline void lacuna_atomic_add_float64(double *target, double value) {
  double old, sum;
  __atomic_load(target, &old, __ATOMIC_RELAXED);
  do sum = old + value;
  while (!__atomic_compare_exchange(target, &old, &sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Its parts one after the other: nobody reads the sum before the loop has ended. */
static inline void lacuna_atomic_add_complex128(double _Complex *target, double _Complex value) {
  const double parts[2] = {__real__ value, __imag__ value};
  for (int k = 0; k < 2; k++) {
    double *part = (double *)target + k;
    double old, sum;
    __atomic_load(part, &old, __ATOMIC_RELAXED);
    do sum = old + parts[k];
    while (!__atomic_compare_exchange(part, &old, &sum, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
}

static inline void lacuna_atomic_or_uint32(uint32_t *target, uint32_t value) {
  __atomic_fetch_or(target, value, __ATOMIC_RELAXED);
}

static inline void lacuna_atomic_set_float64(double *target, double value) {
  __atomic_store(target, &value, __ATOMIC_RELAXED);
}

static inline void lacuna_atomic_set_complex128(double _Complex *target, double _Complex value) {
  double parts[2] = {__real__ value, __imag__ value};
  for (int k = 0; k < 2; k++) __atomic_store((double *)target + k, &parts[k], __ATOMIC_RELAXED);
}

static inline void lacuna_atomic_min_float64(double *target, double value) {
  double old;
  __atomic_load(target, &old, __ATOMIC_RELAXED);
  while (value < old && !__atomic_compare_exchange(target, &old, &value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

static inline void lacuna_atomic_max_float64(double *target, double value) {
  double old;
  __atomic_load(target, &old, __ATOMIC_RELAXED);
  while (value > old && !__atomic_compare_exchange(target, &old, &value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

#endif

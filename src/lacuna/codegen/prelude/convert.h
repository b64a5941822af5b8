/* Conversions that C leaves undefined or does otherwise. Written for int32 and uint32; a kernel gets the same text for
   the types that it needs. */
#ifndef LACUNA_PRELUDE_CONVERT_H
#define LACUNA_PRELUDE_CONVERT_H

#include <stdint.h>

/* Truncates and saturates; NaN gives 0. -(double)INT32_MIN is the least integer past the range, and exact. */
static inline int32_t lacuna_to_int32(double x) {
  if (x != x) return 0;
  if (x >= -(double)INT32_MIN) return INT32_MAX;
  if (x <= (double)INT32_MIN) return INT32_MIN;
  return (int32_t)x;
}

/* The same for an unsigned type. */
static inline uint32_t lacuna_to_uint32(double x) {
  if (!(x > 0.0)) return 0;
  if (x >= 2.0 * (double)(UINT32_MAX / 2 + 1)) return UINT32_MAX;
  return (uint32_t)x;
}

#endif

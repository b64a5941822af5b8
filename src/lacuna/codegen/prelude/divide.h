/* Division of integers without undefined cases: a zero divisor gives 0, and the most negative integer divided by -1
   wraps. Written for int32 and uint32; a kernel gets the same text for the types that it needs. */
#ifndef LACUNA_PRELUDE_DIVIDE_H
#define LACUNA_PRELUDE_DIVIDE_H

#include <stdint.h>

static inline int32_t lacuna_divide_int32(int32_t a, int32_t b) {
  if (b == 0) return 0;
  return b == -1 ? (int32_t)(0 - (uint64_t)a) : (int32_t)(a / b);
}

static inline uint32_t lacuna_divide_uint32(uint32_t a, uint32_t b) { return b == 0 ? 0 : (uint32_t)(a / b); }

static inline int32_t lacuna_modulo_int32(int32_t a, int32_t b) { return b == 0 || b == -1 ? 0 : (int32_t)(a % b); }

static inline uint32_t lacuna_modulo_uint32(uint32_t a, uint32_t b) { return b == 0 ? 0 : (uint32_t)(a % b); }

#endif

/* Memory from the context of a kernel, with the checks that a count of elements needs. */
#ifndef LACUNA_PRELUDE_MEMORY_H
#define LACUNA_PRELUDE_MEMORY_H

#include "lacuna/codegen/prelude/lacuna_kernel.h"

/* The bytes of an array: at least 1, so that NULL always means failure; 0 when there cannot be so many elements. */
static inline size_t lacuna_bytes(int64_t count, size_t size) {
  if (count < 0 || (uint64_t)count > PTRDIFF_MAX / size) return 0;
  return count == 0 ? 1 : (size_t)count * size;
}

/* Memory for `count` elements of `size` bytes; NULL when there is none. A call for each of a kernel's many arrays, not
   the body: kernels would take longer to compile. */
__attribute__((noinline)) static void *lacuna_allocate(lacuna_context *ctx, int64_t count, size_t size) {
  size_t bytes = lacuna_bytes(count, size);
  return bytes ? ctx->allocate(ctx->state, bytes, 0) : NULL;
}

/* The same, all zero. */
__attribute__((noinline)) static void *lacuna_allocate_zeroed(lacuna_context *ctx, int64_t count, size_t size) {
  size_t bytes = lacuna_bytes(count, size);
  return bytes ? ctx->allocate(ctx->state, bytes, 1) : NULL;
}

/* Grows or shrinks an array and keeps its elements; NULL when there is no memory. Cold: a loop that may call it keeps
   its registers for the iterations that do not. */
__attribute__((noinline, cold)) static void *lacuna_resize(lacuna_context *ctx, void *array, int64_t count,
                                                           size_t size) {
  size_t bytes = lacuna_bytes(count, size);
  if (!bytes) return NULL;
  return array ? ctx->resize(ctx->state, array, bytes) : ctx->allocate(ctx->state, bytes, 0);
}

/* Prefetches the element at an address. */
static inline void lacuna_prefetch(const void *address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

#endif

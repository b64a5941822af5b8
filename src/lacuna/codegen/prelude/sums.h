/* The sum of arrays that the threads of a loop had, each one of its own. Written for float64; a kernel gets the same
   text for the types that it needs. */
#ifndef LACUNA_PRELUDE_SUMS_H
#define LACUNA_PRELUDE_SUMS_H

#include "lacuna/codegen/prelude/lacuna_kernel.h"

/* Adds own[k] for the elements k of a share, slice by slice: a slice of the total stays in a core's first cache while
   those of the threads pass by. In the order of the threads, so that a sum does not depend on who was done first. */
static int32_t lacuna_add_share_float64(lacuna_context *ctx, void *used, lacuna_share *share) {
  enum { slice = 1024 };
  double *total = ((void **)used)[0];
  double **own = ((void **)used)[1];
  while (share->next(share)) {
    for (int64_t begin = share->begin; begin < share->end; begin += slice) {
      const int64_t end = share->end - begin < slice ? share->end : begin + slice;
      for (int32_t thread = 0; thread < ctx->threads; thread++) {
        const double *from = own[thread];
        if (from == NULL || from == total) continue;
        for (int64_t k = begin; k < end; k++) total[k] += from[k];
      }
    }
  }
  return LACUNA_OK;
}

/* Adds the threads' own arrays of n elements to the total, and releases them and the list of them. A thread may have
   none, or the total itself. */
static int32_t lacuna_add_up_float64(lacuna_context *ctx, double *total, double **own, int64_t n) {
  void *used[2] = {total, own};
  const lacuna_loop loop = {.begin = 0, .end = n, .step = 1, .chunk = 0, .fixed = 1, .ordered = 0};
  const int32_t status = ctx->parallel_for(ctx, &loop, lacuna_add_share_float64, used);
  for (int32_t thread = 0; thread < ctx->threads; thread++)
    if (own[thread] != NULL && own[thread] != total) ctx->release(ctx->state, own[thread]);
  ctx->release(ctx->state, own);
  return status;
}

#endif

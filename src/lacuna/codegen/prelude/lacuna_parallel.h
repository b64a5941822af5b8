/* Threads for kernels: lacuna_context.parallel_for by OpenMP where the compiler has it (-fopenmp), else by one thread.
   C99 with the builtins of GCC and Clang; also valid C++. */
#ifndef LACUNA_PARALLEL_H
#define LACUNA_PARALLEL_H

#include "lacuna/codegen/prelude/lacuna_kernel.h"

#include <sched.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The threads that run a loop. Counts are of iterations. */
struct lacuna_team {
  const lacuna_loop *loop;
  int64_t count;
  int64_t first; /* that no thread has yet; of loops that are not fixed */
  int32_t ended; /* the tasks of the threads below have */
  int32_t failed; /* a status */
};

/* A chunk of iterations from `first` on, as far as there are so many. */
static inline int32_t lacuna_get_share(lacuna_share *share, int64_t first) {
  const struct lacuna_team *team = share->team;
  const lacuna_loop *loop = team->loop;
  if (first >= team->count || __atomic_load_n(&team->failed, __ATOMIC_RELAXED)) return 0;
  share->begin = loop->begin + first * loop->step;
  share->end = team->count - first <= share->chunk ? loop->end : share->begin + share->chunk * loop->step;
  return 1;
}

/* The next iterations that no thread has yet. */
static inline int32_t lacuna_next_free(lacuna_share *share) {
  return lacuna_get_share(share, __atomic_fetch_add(&share->team->first, share->chunk, __ATOMIC_RELAXED));
}

/* Chunks in turn, one a thread. */
static inline int32_t lacuna_next_fixed(lacuna_share *share) {
  const int64_t first = share->position;
  share->position += share->stride;
  return lacuna_get_share(share, first);
}

static inline void lacuna_take_turn(lacuna_share *share) {
  for (int tries = 0; __atomic_load_n(&share->team->ended, __ATOMIC_ACQUIRE) < share->thread; tries++)
    if (tries > 1000) sched_yield();
}

/* Loops that are not fixed are cut into about this many chunks: sparse rows differ too much in work for equal shares.
 */
enum { LACUNA_CHUNKS = 64 };

static inline int64_t lacuna_chunk(const struct lacuna_team *team, int32_t threads) {
  if (team->loop->chunk > 0) return team->loop->chunk;
  return team->loop->fixed ? (team->count - 1) / threads + 1 : 1 + team->count / LACUNA_CHUNKS;
}

/* One thread's part of a loop, of so many. It does not wait for the others, which may have to wake up first. */
static inline void lacuna_run_task(lacuna_context *ctx, struct lacuna_team *team, lacuna_task task, void *used,
                                   int32_t thread, int32_t threads) {
  lacuna_share share;
  share.begin = share.end = 0;
  share.thread = thread;
  share.next = team->loop->fixed ? lacuna_next_fixed : lacuna_next_free;
  share.take_turn = lacuna_take_turn;
  share.chunk = lacuna_chunk(team, threads);
  share.position = thread * share.chunk;
  share.stride = threads * share.chunk;
  share.team = team;
  const int32_t status = task(ctx, used, &share);
  if (status != LACUNA_OK) __atomic_store_n(&team->failed, status, __ATOMIC_RELAXED);
  if (!team->loop->ordered) return;
  lacuna_take_turn(&share);
  __atomic_store_n(&team->ended, thread + 1, __ATOMIC_RELEASE);
}

/* How many threads a loop is worth; the team for it. A loop without iterations is worth none. */
static inline int32_t lacuna_gather_team(const lacuna_context *ctx, const lacuna_loop *loop, struct lacuna_team *team) {
  team->loop = loop;
  team->first = 0;
  team->ended = team->failed = 0;
  team->count = loop->end <= loop->begin ? 0 : (loop->end - loop->begin - 1) / loop->step + 1;
  if (team->count == 0) return 0;
  const int64_t chunks = (team->count - 1) / lacuna_chunk(team, ctx->threads) + 1;
  return chunks < ctx->threads ? (int32_t)chunks : ctx->threads;
}

static inline int32_t lacuna_parallel_for(lacuna_context *ctx, const lacuna_loop *loop, lacuna_task task, void *used) {
  struct lacuna_team team;
  const int32_t threads = lacuna_gather_team(ctx, loop, &team);
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    lacuna_run_task(ctx, &team, task, used, omp_get_thread_num(), omp_get_num_threads());
    return team.failed;
  }
#endif
  if (threads > 0) lacuna_run_task(ctx, &team, task, used, 0, 1);
  return team.failed;
}

#ifdef __cplusplus
}
#endif
#endif

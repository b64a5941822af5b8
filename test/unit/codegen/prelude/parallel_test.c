#include "lacuna/codegen/prelude/lacuna_parallel.h"

#include "check.h"

enum { most = 1000 };

typedef struct {
  int64_t times[most]; /* that an iteration ran */
  int32_t thread[most]; /* that ran it */
  int32_t turns; /* taken so far */
  int32_t fails_at;
} record;

static int32_t note(lacuna_context *ctx, void *used, lacuna_share *share) {
  record *r = used;
  CHECK(share->thread >= 0 && share->thread < ctx->threads);
  while (share->next(share)) {
    for (int64_t i = share->begin; i < share->end; i += 3) {
      __atomic_fetch_add(&r->times[i], 1, __ATOMIC_RELAXED);
      r->thread[i] = share->thread;
      if (i == r->fails_at) return LACUNA_OUT_OF_MEMORY;
    }
  }
  return LACUNA_OK;
}

static int32_t take_turns(lacuna_context *ctx, void *used, lacuna_share *share) {
  (void)ctx;
  record *r = used;
  while (share->next(share)) {
  }
  share->take_turn(share);
  CHECK(r->turns == share->thread);
  r->turns++;
  return LACUNA_OK;
}

static record done;

static void expect_once(int64_t begin, int64_t end) {
  for (int64_t i = 0; i < most; i++) CHECK(done.times[i] == (i >= begin && i < end && (i - begin) % 3 == 0));
}

static void runs_each_iteration_once(int32_t threads) {
  lacuna_context ctx = {.parallel_for = lacuna_parallel_for, .threads = threads};
  for (int64_t chunk = 0; chunk < 40; chunk += 13) {
    for (int32_t fixed = 0; fixed < 2; fixed++) {
      for (int64_t end = 0; end < most; end += 97) {
        const lacuna_loop loop = {.begin = 5, .end = end, .step = 3, .chunk = chunk, .fixed = fixed};
        done = (record){.fails_at = -1};
        CHECK(ctx.parallel_for(&ctx, &loop, note, &done) == LACUNA_OK);
        expect_once(5, end);
        record before = done;
        if (!fixed) continue;
        CHECK(ctx.parallel_for(&ctx, &loop, note, &done) == LACUNA_OK);
        for (int64_t i = 0; i < most; i++) CHECK(done.thread[i] == before.thread[i]);
      }
    }
  }
}

static void a_failure_ends_the_loop(int32_t threads) {
  lacuna_context ctx = {.parallel_for = lacuna_parallel_for, .threads = threads};
  for (int32_t ordered = 0; ordered < 2; ordered++) {
    const lacuna_loop loop = {.begin = 0, .end = most, .step = 3, .chunk = 1, .ordered = ordered};
    done = (record){.fails_at = 300};
    CHECK(ctx.parallel_for(&ctx, &loop, note, &done) == LACUNA_OUT_OF_MEMORY);
    CHECK(done.times[300] == 1);
  }
}

static void turns_are_taken_in_order(int32_t threads) {
  lacuna_context ctx = {.parallel_for = lacuna_parallel_for, .threads = threads};
  for (int k = 0; k < 100; k++) {
    const lacuna_loop loop = {.begin = 0, .end = most, .step = 1, .fixed = k % 2, .ordered = 1};
    done = (record){.turns = 0};
    CHECK(ctx.parallel_for(&ctx, &loop, take_turns, &done) == LACUNA_OK);
    CHECK(done.turns >= 1 && done.turns <= threads);
  }
}

int main(void) {
  for (int32_t threads = 1; threads <= 5; threads++) {
    runs_each_iteration_once(threads);
    a_failure_ends_the_loop(threads);
    turns_are_taken_in_order(threads);
  }
  return 0;
}

#include <gtest/gtest.h>

#include "unit/codegen/kernels.h"

namespace lacuna {
namespace {

using namespace loop;
using enum BinaryOp;

/// What each thread of a parallel loop does before and after its iterations.
class ParallelText : public testing::Test {
 protected:
  Variables v_;
  Var k_{"k", int64_type}, m_{"m", int64_type}, w_{"w", array_type(Type::Float64)}, t_{"t", float64_type};

  Stmt loop(Stmt setup, Stmt body, Stmt teardown, std::vector<Reduction> reductions = {}) const {
    return for_loop(k_, 0, v_.n, std::move(body),
                    {.mode = LoopMode::Parallel,
                     .reductions = std::move(reductions),
                     .setup = std::move(setup),
                     .teardown = std::move(teardown)});
  }
};

TEST_F(ParallelText, AThreadPreparesItsOwnVariables) {
  EXPECT_EQ(printed(loop(declare(t_, 0.0), assign(t_, op(Add, t_, load(v_.vals, k_))), assign(v_.x, op(Add, v_.x, t_)),
                         {{v_.x, StoreOp::Add}})),
            R"(#pragma omp parallel num_threads(ctx->threads) reduction(+:x)
{
  double t = 0.0;
#pragma omp for schedule(static)
  for (int64_t k = 0; k < n; k++) {
    t += vals[k];
  }
  x += t;
}
)");
}

TEST_F(ParallelText, AFailureKeepsNoThreadFromTheSharedLoop) {
  EXPECT_EQ(printed(loop(block({declare_array(w_), allocate(w_, v_.n, true)}), store(w_, k_, 1.0), release(w_))),
            R"(int32_t failed = 0;
#pragma omp parallel num_threads(ctx->threads)
{
  double *restrict w = lacuna_allocate_zeroed(ctx, n, sizeof *w);
  if (!w) goto no_memory;
  goto ready_k;
no_memory:;
#pragma omp atomic write
  failed = 1;
ready_k:;
#pragma omp for schedule(dynamic, 1 + n / 64)
  for (int64_t k = 0; k < n; k++) {
    int32_t stop;
#pragma omp atomic read
    stop = failed;
    if (stop) continue;
    w[k] = 1.0;
  }
  if (!failed) {
    ctx->release(ctx->state, w);
  }
}
if (failed) return LACUNA_OUT_OF_MEMORY;
)");
}

TEST_F(ParallelText, ArraysThatThreadsAddToAreAddedUpInSlices) {
  const Stmt add = for_loop(m_, 0, v_.n, atomic(store(v_.vals, m_, load(w_, m_), StoreOp::Add)));
  EXPECT_EQ(printed(loop(block({declare_array(w_), allocate(w_, v_.n, true)}), store(w_, 0, 1.0, StoreOp::Add),
                         block({add, release(w_)}))),
            R"(int32_t failed = 0;
double **ws = lacuna_allocate(ctx, ctx->threads, sizeof *ws);
if (!ws) return LACUNA_OUT_OF_MEMORY;
#pragma omp parallel num_threads(ctx->threads)
{
  double *w = omp_get_thread_num() == 0 ? vals : lacuna_allocate_zeroed(ctx, n, sizeof *w);
  if (!w) goto no_memory;
  goto ready_k;
no_memory:;
#pragma omp atomic write
  failed = 1;
ready_k:;
  ws[omp_get_thread_num()] = w;
#pragma omp for schedule(static, 1 + n / 64)
  for (int64_t k = 0; k < n; k++) {
    int32_t stop;
#pragma omp atomic read
    stop = failed;
    if (stop) continue;
    w[0] += 1.0;
  }
  if (!failed) {
#pragma omp for schedule(static)
    for (int64_t slice = 0; slice < n; slice += 1024) {
      int64_t slice_end = slice + 1024 < n ? slice + 1024 : n;
      for (int32_t thread = 1; thread < omp_get_num_threads(); thread++) {
        const double *from = ws[thread];
        for (int64_t m = slice; m < slice_end; m++) vals[m] += from[m];
      }
    }
    if (omp_get_thread_num() > 0) ctx->release(ctx->state, w);
  }
}
if (failed) return LACUNA_OUT_OF_MEMORY;
ctx->release(ctx->state, ws);
)");
}

TEST_F(ParallelText, WhatAFailureJumpsOverIsDeclaredBefore) {
  const Var u("u", array_type(Type::Int32));
  const Stmt setup =
      block({declare_array(w_), allocate(w_, 1, false), declare(t_, 2.0), declare_array(u), allocate(u, 2, false)});
  EXPECT_EQ(printed(loop(setup, store(w_, 0, t_), block({release(w_), resize(u, 3), release(u)}))),
            R"(int32_t failed = 0;
#pragma omp parallel num_threads(ctx->threads)
{
  double t = 0.0;
  int32_t *u = NULL;
  double *restrict w = lacuna_allocate(ctx, 1, sizeof *w);
  if (!w) goto no_memory;
  t = 2.0;
  u = lacuna_allocate(ctx, 2, sizeof *u);
  if (!u) goto no_memory;
  goto ready_k;
no_memory:;
#pragma omp atomic write
  failed = 1;
ready_k:;
#pragma omp for schedule(dynamic, 1 + n / 64)
  for (int64_t k = 0; k < n; k++) {
    int32_t stop;
#pragma omp atomic read
    stop = failed;
    if (stop) continue;
    w[0] = t;
  }
  int32_t stop;
#pragma omp atomic read
  stop = failed;
  if (!stop) {
    ctx->release(ctx->state, w);
    u = lacuna_resize(ctx, u, 3, sizeof *u);
    if (!u) goto no_memory_2;
    ctx->release(ctx->state, u);
    goto done_k;
no_memory_2:;
#pragma omp atomic write
    failed = 1;
done_k:;
  }
}
if (failed) return LACUNA_OUT_OF_MEMORY;
)");
}

TEST_F(ParallelText, TheGrainIsWhatAThreadIsDealtAtATime) {
  const auto first_line = [&](LoopOptions options) {
    options.mode = LoopMode::Parallel;
    options.grain = 16;
    const std::string text = printed(for_loop(k_, 0, v_.n, store(v_.vals, k_, 0.0), std::move(options)));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first_line({}), "#pragma omp parallel for schedule(dynamic, 16) num_threads(ctx->threads) if (n > 16)");
  EXPECT_EQ(first_line({.reductions = {{v_.n, StoreOp::Add}}}),
            "#pragma omp parallel for schedule(dynamic, 16) num_threads(ctx->threads) if (n > 16) reduction(+:n)");
  EXPECT_EQ(first_line({.reductions = {{v_.x, StoreOp::Max}}}),
            "#pragma omp parallel for schedule(dynamic, 16) num_threads(ctx->threads) if (n > 16) reduction(max:x)");
  EXPECT_EQ(first_line({.reductions = {{v_.x, StoreOp::Add}}}),
            "#pragma omp parallel for schedule(static, 16) num_threads(ctx->threads) if (n > 16) reduction(+:x)")
      << "a sum of floats is of the same order every time";
  EXPECT_EQ(printed(for_loop(k_, 0, v_.n, store(v_.vals, k_, t_),
                             {.mode = LoopMode::Parallel, .setup = declare(t_, 1.0), .grain = 4})),
            "#pragma omp parallel num_threads(ctx->threads) if (n > 4)\n{\n  double t = 1.0;\n"
            "#pragma omp for schedule(dynamic, 4)\n  for (int64_t k = 0; k < n; k++) {\n    vals[k] = t;\n  }\n}\n");
}

TEST_F(ParallelText, BoundsThatAThreadChangesAreEvaluatedBefore) {
  const Stmt setup = atomic(store(v_.pos, 0, 1, StoreOp::Add));
  const Stmt work =
      for_loop(k_, load(v_.pos, 0), load(v_.pos, 1), block({}), {.mode = LoopMode::Parallel, .setup = setup});
  EXPECT_EQ(printed(work), R"(const int64_t k_end = pos[1];
const int64_t k_begin = pos[0];
#pragma omp parallel num_threads(ctx->threads)
{
#pragma omp atomic
  pos[0]++;
#pragma omp for schedule(dynamic, 1 + (k_end - (k_begin)) / 64)
  for (int64_t k = k_begin; k < k_end; k++) {
  }
}
)");
}

TEST_F(ParallelText, InsideAParallelLoopOneThreadDoesAll) {
  const Var inner("inner", int64_type);
  const Stmt work = for_loop(inner, 0, v_.n, store(w_, inner, 1.0),
                             {.mode = LoopMode::Parallel,
                              .setup = block({declare_array(w_), allocate(w_, v_.n, true)}),
                              .teardown = release(w_)});
  EXPECT_EQ(printed(for_loop(k_, 0, v_.n, work, LoopMode::Parallel)), R"(int32_t failed = 0;
#pragma omp parallel for schedule(dynamic, 1 + n / 64) num_threads(ctx->threads)
for (int64_t k = 0; k < n; k++) {
  {
    double *restrict w = lacuna_allocate_zeroed(ctx, n, sizeof *w);
    if (!w) goto no_memory;
    for (int64_t inner = 0; inner < n; inner++) {
      w[inner] = 1.0;
    }
    ctx->release(ctx->state, w);
  }
  continue;
no_memory:;
#pragma omp atomic write
  failed = 1;
}
if (failed) return LACUNA_OUT_OF_MEMORY;
)");
}

}  // namespace
}  // namespace lacuna

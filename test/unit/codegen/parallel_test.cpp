#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/codegen/kernels.h"

namespace lacuna::parallel_test {
namespace {

using namespace loop;
using enum BinaryOp;

/// Parallel loops: the function that threads run, and the call of it.
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

  /// The struct and the function of a loop, without what it takes from the struct.
  std::string task(const Stmt& stmt) const {
    const std::string text = print_c(outline(partition(v_.module(stmt)))).kernel;
    std::string kept;
    const std::size_t begin = text.find('\n') + 1, end = text.find("\nint32_t kernel(");
    for (std::size_t at = begin; at < end;) {
      const std::size_t next = text.find('\n', at) + 1;
      const std::string line = text.substr(at, next - at);
      if (line.find(" = from->") == std::string::npos) kept += line;
      at = next;
    }
    return kept;
  }
};

TEST_F(ParallelText, AThreadPreparesItsOwnVariables) {
  const Stmt sum = loop(declare(t_, 0.0), assign(t_, op(Add, t_, load(v_.vals, k_))), assign(v_.x, op(Add, v_.x, t_)),
                        {{v_.x, StoreOp::Add}});
  EXPECT_EQ(body_of(v_.module(sum)),
            R"(struct kernel_k used_k = {vals, &x};
const lacuna_loop loop_k = {.begin = 0, .end = n, .step = 1, .fixed = 1, .ordered = 1};
ctx->parallel_for(ctx, &loop_k, kernel_k, &used_k);
)");
  EXPECT_EQ(task(sum),
            R"(struct kernel_k {
  const double *vals;
  double *x;
};

// A thread's iterations of the loop over k.
static int32_t kernel_k(lacuna_context *ctx, void *used, lacuna_share *share) {
  (void)ctx;
  const struct kernel_k *from = used;
  double x = 0.0;
  double t = 0.0;
  while (share->next(share)) {
    const int64_t k_end = share->end;
    for (int64_t k = share->begin; k < k_end; k++) {
      t += vals[k];
    }
  }
  share->take_turn(share);
  x += t;
  *from->x += x;
  return LACUNA_OK;
}
)");
}

TEST_F(ParallelText, AFailureEndsTheLoop) {
  const Stmt work = loop(block({declare_array(w_), allocate(w_, v_.n, true)}), store(w_, k_, 1.0), release(w_));
  EXPECT_EQ(body_of(v_.module(work)),
            R"(struct kernel_k used_k = {n};
const lacuna_loop loop_k = {.begin = 0, .end = n, .step = 1};
if (ctx->parallel_for(ctx, &loop_k, kernel_k, &used_k) != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;
)");
  EXPECT_EQ(task(work),
            R"(struct kernel_k {
  int64_t n;
};

// A thread's iterations of the loop over k.
static int32_t kernel_k(lacuna_context *ctx, void *used, lacuna_share *share) {
  const struct kernel_k *from = used;
  double *restrict w = lacuna_allocate_zeroed(ctx, n, sizeof *w);
  if (!w) return LACUNA_OUT_OF_MEMORY;
  while (share->next(share)) {
    const int64_t k_end = share->end;
    for (int64_t k = share->begin; k < k_end; k++) {
      w[k] = 1.0;
    }
  }
  ctx->release(ctx->state, w);
  return LACUNA_OK;
}
)");
}

TEST_F(ParallelText, ArraysThatThreadsAddToAreAddedUp) {
  const Stmt work = for_loop(k_, 0, v_.n, store(w_, 0, 1.0, StoreOp::Add),
                             {.mode = LoopMode::Parallel, .sums = {{v_.vals, w_, v_.n, m_}}});
  EXPECT_EQ(body_of(v_.module(work)),
            R"(double **ws = lacuna_allocate_zeroed(ctx, ctx->threads, sizeof *ws);
if (!ws) return LACUNA_OUT_OF_MEMORY;
struct kernel_k used_k = {n, vals, ws};
const lacuna_loop loop_k = {.begin = 0, .end = n, .step = 1, .fixed = 1};
if (ctx->parallel_for(ctx, &loop_k, kernel_k, &used_k) != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;
if (lacuna_add_up_float64(ctx, vals, ws, n) != LACUNA_OK) return LACUNA_OUT_OF_MEMORY;
)");
  EXPECT_EQ(task(work),
            R"(struct kernel_k {
  int64_t n;
  double *vals;
  double **ws;
};

// A thread's iterations of the loop over k.
static int32_t kernel_k(lacuna_context *ctx, void *used, lacuna_share *share) {
  const struct kernel_k *from = used;
  double *restrict w = share->thread == 0 ? vals : lacuna_allocate_zeroed(ctx, n, sizeof *w);
  if (!w) return LACUNA_OUT_OF_MEMORY;
  ws[share->thread] = w;
  while (share->next(share)) {
    const int64_t k_end = share->end;
    for (int64_t k = share->begin; k < k_end; k++) {
      w[0] += 1.0;
    }
  }
  return LACUNA_OK;
}
)");
}

TEST_F(ParallelText, WhatIsReadOfAThreadsOwnArrayKeepsTheTotalApart) {
  const Stmt work = for_loop(k_, 0, v_.n, store(w_, 0, op(Mul, load(w_, 0), 2.0)),
                             {.mode = LoopMode::Parallel, .sums = {{v_.vals, w_, v_.n, m_}}});
  EXPECT_THAT(task(work), testing::HasSubstr("  double *restrict w = lacuna_allocate_zeroed(ctx, n, sizeof *w);\n"));
}

TEST_F(ParallelText, TheLoopSaysHowItIsShared) {
  const auto shared = [&](LoopOptions options) {
    options.mode = LoopMode::Parallel;
    options.grain = 16;
    const std::string text = body_of(v_.module(for_loop(k_, 0, v_.n, store(v_.vals, k_, 0.0), std::move(options))));
    const std::size_t begin = text.find(".chunk");
    return text.substr(begin, text.find("};", begin) - begin);
  };
  EXPECT_EQ(shared({}), ".chunk = 16");
  EXPECT_EQ(shared({.reductions = {{v_.n, StoreOp::Add}}}), ".chunk = 16, .ordered = 1");
  EXPECT_EQ(shared({.reductions = {{v_.x, StoreOp::Max}}}), ".chunk = 16, .ordered = 1");
  EXPECT_EQ(shared({.reductions = {{v_.x, StoreOp::Add}}}), ".chunk = 16, .fixed = 1,\n    .ordered = 1")
      << "a sum of floats is of the same order every time";
}

TEST_F(ParallelText, BoundsThatAThreadChangesAreEvaluatedBefore) {
  const Stmt setup = atomic(store(v_.pos, 0, 1, StoreOp::Add));
  const Stmt work =
      for_loop(k_, load(v_.pos, 0), load(v_.pos, 1), block({}), {.mode = LoopMode::Parallel, .setup = setup});
  EXPECT_EQ(body_of(v_.module(work)),
            R"(struct kernel_k used_k = {pos};
const lacuna_loop loop_k = {.begin = pos[0], .end = pos[1], .step = 1};
ctx->parallel_for(ctx, &loop_k, kernel_k, &used_k);
)");
  EXPECT_EQ(task(work),
            R"(struct kernel_k {
  int64_t *pos;
};

// A thread's iterations of the loop over k.
static int32_t kernel_k(lacuna_context *ctx, void *used, lacuna_share *share) {
  (void)ctx;
  const struct kernel_k *from = used;
  lacuna_atomic_add_int64(&pos[0], 1);
  while (share->next(share)) {
    const int64_t k_end = share->end;
    for (int64_t k = share->begin; k < k_end; k++) {
    }
  }
  return LACUNA_OK;
}
)");
}

TEST_F(ParallelText, InsideAParallelLoopOneThreadDoesAll) {
  const Var inner("inner", int64_type);
  const Stmt work = for_loop(inner, 0, v_.n, store(w_, inner, 1.0),
                             {.mode = LoopMode::Parallel,
                              .setup = block({declare_array(w_), allocate(w_, v_.n, true)}),
                              .teardown = release(w_)});
  EXPECT_EQ(task(for_loop(k_, 0, v_.n, work, LoopMode::Parallel)),
            R"(struct kernel_k {
  int64_t n;
};

// A thread's iterations of the loop over k.
static int32_t kernel_k(lacuna_context *ctx, void *used, lacuna_share *share) {
  const struct kernel_k *from = used;
  while (share->next(share)) {
    const int64_t k_end = share->end;
    for (int64_t k = share->begin; k < k_end; k++) {
      {
        double *restrict w = lacuna_allocate_zeroed(ctx, n, sizeof *w);
        if (!w) return LACUNA_OUT_OF_MEMORY;
        for (int64_t inner = 0; inner < n; inner++) {
          w[inner] = 1.0;
        }
        ctx->release(ctx->state, w);
      }
    }
  }
  return LACUNA_OK;
}
)");
}

TEST_F(ParallelText, ALoopThatIsNotOutlinedIsRefused) {
  EXPECT_THROW(print_c(v_.module(for_loop(k_, 0, v_.n, store(v_.vals, k_, 0.0), LoopMode::Parallel))), InternalError);
}

}  // namespace
}  // namespace lacuna::parallel_test

#include <gtest/gtest.h>

#include "lacuna/support/error.h"
#include "unit/codegen/kernels.h"

namespace lacuna::statement_test {
namespace {

using namespace loop;
using enum BinaryOp;

class StatementText : public testing::Test {
 protected:
  Variables v_;
  Expr i_ = v_.i, n_ = v_.n, x_ = v_.x;
  Var k_{"k", int64_type};
};

TEST_F(StatementText, AnAssignmentToItselfIsAnUpdate) {
  EXPECT_EQ(printed(increment(v_.i)), "i++;\n");
  EXPECT_EQ(printed(assign(v_.i, i_ - 1)), "i--;\n");
  EXPECT_EQ(printed(assign(v_.i, i_ + n_)), "i += n;\n");
  EXPECT_EQ(printed(assign(v_.x, op(Mul, x_, op(Add, x_, 1.0)))), "x *= x + 1.0;\n");
  EXPECT_EQ(printed(assign(v_.x, op(Add, load(v_.vals, i_), x_))), "x += vals[i];\n");
  EXPECT_EQ(printed(assign(v_.x, op(Sub, 1.0, x_))), "x = 1.0 - x;\n");
  EXPECT_EQ(printed(assign(v_.i, op(Div, i_, n_))), "i = lacuna_divide_int64(i, n);\n");
  EXPECT_EQ(printed(assign(v_.z, op(Mul, v_.z, v_.z))), "z = lacuna_multiply_complex128(z, z);\n");
}

TEST_F(StatementText, StoresCombineWithWhatIsThere) {
  EXPECT_EQ(printed(store(v_.vals, i_, x_)), "vals[i] = x;\n");
  EXPECT_EQ(printed(store(v_.vals, i_, x_, StoreOp::Add)), "vals[i] += x;\n");
  EXPECT_EQ(printed(store(v_.pos, i_ + 1, 1, StoreOp::Add)), "pos[i + 1]++;\n");
  EXPECT_EQ(printed(store(v_.vals, i_, x_, StoreOp::Max)), "if (x > vals[i]) vals[i] = x;\n");
  EXPECT_EQ(printed(store(v_.vals, i_, op(Add, x_, 1.0), StoreOp::Min)),
            "vals[i] = lacuna_min_float64(vals[i], x + 1.0);\n");
  EXPECT_EQ(printed(store(v_.crd, i_, v_.j, StoreOp::Or)), "crd[i] |= j;\n");
}

TEST_F(StatementText, AtomicStoresAreMarked) {
  EXPECT_EQ(printed(atomic(store(v_.vals, i_, x_, StoreOp::Add))), "lacuna_atomic_add_float64(&vals[i], x);\n");
  EXPECT_EQ(printed(atomic(store(v_.vals, i_, x_))), "lacuna_atomic_set_float64(&vals[i], x);\n");
  EXPECT_EQ(printed(atomic(store(v_.vals, i_, x_, StoreOp::Min))), "lacuna_atomic_min_float64(&vals[i], x);\n");
}

TEST_F(StatementText, BranchesChainAndHaveNoEmptyElse) {
  const auto set = [&](int value) { return store(v_.pos, 0, value); };
  EXPECT_EQ(printed(if_then(i_ < n_, set(1))), "if (i < n) pos[0] = 1;\n");
  EXPECT_EQ(printed(if_then(i_ < n_, set(1), block({}))), "if (i < n) pos[0] = 1;\n");
  EXPECT_EQ(printed(if_then(i_ < n_, set(1), if_then(eq(i_, n_), set(2), set(3)))),
            "if (i < n) {\n  pos[0] = 1;\n} else if (i == n) {\n  pos[0] = 2;\n} else {\n  pos[0] = 3;\n}\n");
  EXPECT_EQ(printed(if_then(i_ < n_, block({set(1), set(2)}))), "if (i < n) {\n  pos[0] = 1;\n  pos[0] = 2;\n}\n");
  EXPECT_EQ(printed(if_then(i_ < n_, if_then(v_.yes, set(1)))), "if (i < n) {\n  if (yes) pos[0] = 1;\n}\n");
}

TEST_F(StatementText, ABoundThatTheBodyChangesIsEvaluatedOnce) {
  const Stmt body = store(v_.vals, k_, 0.0);
  EXPECT_EQ(printed(for_loop(k_, load(v_.pos, i_), load(v_.pos, i_ + 1), body)),
            "for (int64_t k = pos[i]; k < pos[i + 1]; k++) {\n  vals[k] = 0.0;\n}\n");
  EXPECT_EQ(printed(for_loop(k_, 0, load(v_.pos, i_), store(v_.pos, k_, 0))),
            "const int64_t k_end = pos[i];\nfor (int64_t k = 0; k < k_end; k++) {\n  pos[k] = 0;\n}\n");
  EXPECT_EQ(printed(for_loop(k_, 0, n_ - i_, increment(v_.i))),
            "const int64_t k_end = n - i;\nfor (int64_t k = 0; k < k_end; k++) {\n  i++;\n}\n");
  EXPECT_EQ(printed(for_loop_by(k_, 0, n_, 4, body)), "for (int64_t k = 0; k < n; k += 4) {\n  vals[k] = 0.0;\n}\n");
}

TEST_F(StatementText, ALoopMayAskToBeUnrolled) {
  EXPECT_EQ(printed(if_then(v_.yes, for_loop(k_, 0, n_, store(v_.vals, k_, 0.0), {.unroll = 4}))),
            "if (yes) {\n#pragma GCC unroll 4\n  for (int64_t k = 0; k < n; k++) {\n    vals[k] = 0.0;\n  }\n}\n");
}

TEST_F(StatementText, LoopsThatRunAtOnceSaySo) {
  const Stmt body = assign(v_.x, op(Add, x_, load(v_.vals, k_)));
  EXPECT_EQ(printed(for_loop(k_, 0, n_, body, LoopMode::Vector, {{v_.x, StoreOp::Add}})),
            "#pragma omp simd reduction(+:x)\nfor (int64_t k = 0; k < n; k++) {\n  x += vals[k];\n}\n");
}

TEST_F(StatementText, MemoryThatIsNotThereEndsTheKernel) {
  const Var w("w", array_type(Type::Float64));
  EXPECT_EQ(printed(block({declare_array(w), allocate(w, n_, true), release(w)})),
            "double *restrict w = lacuna_allocate_zeroed(ctx, n, sizeof *w);\nif (!w) return LACUNA_OUT_OF_MEMORY;\n"
            "ctx->release(ctx->state, w);\n");
  EXPECT_EQ(printed(block({declare_array(w), if_then(v_.yes, resize(w, n_ * 2))})),
            "double *w = NULL;\nif (yes) {\n  w = lacuna_resize(ctx, w, n * 2, sizeof *w);\n"
            "  if (!w) return LACUNA_OUT_OF_MEMORY;\n}\n");
}

TEST_F(StatementText, AShelfIsAnArrayOfPointers) {
  const Var shelf("w_of", shelf_type(array_type(Type::Float64))), w("w", array_type(Type::Float64));
  const Var refs("refs", shelf_type(array_type(Type::Bool)));
  EXPECT_EQ(printed(block({declare_array(shelf), allocate(shelf, n_, true), declare_array(w), allocate(w, 1, false),
                           keep(shelf, i_ + 1, w), take(w, shelf, i_), release(w), release(shelf)})),
            "double **w_of = lacuna_allocate_zeroed(ctx, n, sizeof *w_of);\nif (!w_of) return LACUNA_OUT_OF_MEMORY;\n"
            "double *w = lacuna_allocate(ctx, 1, sizeof *w);\nif (!w) return LACUNA_OUT_OF_MEMORY;\n"
            "w_of[i + 1] = w;\nw = w_of[i];\nctx->release(ctx->state, w);\nctx->release(ctx->state, w_of);\n");
  EXPECT_EQ(printed(block({declare_array(shelf), declare_array(w), take(w, shelf, 0)})),
            "double **w_of = NULL;\ndouble *w = w_of[0];\n");
  EXPECT_EQ(printed(declare_array(refs)), "bool **refs = NULL;\n");
}

TEST_F(StatementText, SortsFillsAndSearchesUseThePrelude) {
  EXPECT_EQ(printed(sort(v_.crd, 0, n_)), "lacuna_sort_int32(crd, 0, n);\n");
  EXPECT_EQ(printed(fill(v_.vals, i_, n_, 0.0)), "for (int64_t k = i; k < n; k++) vals[k] = 0.0;\n");
  EXPECT_EQ(printed(fill(v_.pos, 0, load(v_.pos, 0), load(v_.pos, 1))),
            "const int64_t value = pos[1];\nconst int64_t k_end = pos[0];\n"
            "for (int64_t k = 0; k < k_end; k++) pos[k] = value;\n");
}

TEST_F(StatementText, CommentsCannotEndTheirLine) {
  EXPECT_EQ(printed(comment("forall i: y(i) = A(i,j)")), "// forall i: y(i) = A(i,j)\n");
  EXPECT_EQ(printed(comment("evil \\\n#include \"x\" \\")), "// evil   #include \"x\"  \n");
  EXPECT_EQ(printed(comment("trigraph ?"
                            "?/")),
            "// trigraph ? ?/\n");
}

TEST_F(StatementText, ACallThatChangesSomethingIsAWholeStatement) {
  const Var array("array", array_type(Type::Int64));
  Module module = v_.module(assign(v_.i, invoke("next", {v_.pos}, int64_type)));
  module.functions = {
      {"next", {array}, int64_type, block({store(array, 0, 1, StoreOp::Add), return_value(load(array, 0))})}};
  EXPECT_EQ(body_of(module), "i = next(pos);\n");
  module.body = assign(v_.i, invoke("next", {v_.pos}, int64_type) - invoke("next", {v_.pos}, int64_type));
  EXPECT_THROW(print_c(module), InternalError);
}

}  // namespace
}  // namespace lacuna::statement_test

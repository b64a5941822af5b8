#include "lacuna/codegen/c/vectors.h"

#include <gtest/gtest.h>

#include "lacuna/loop/build.h"
#include "unit/codegen/kernels.h"

namespace lacuna {
namespace {

using namespace loop;
using enum BinaryOp;

const Var y("y", array_type(Type::Float64)), x("x", array_type(Type::Float64)), n("n", array_type(Type::Int32));
const Var v("v", int64_type), first("first", int64_type), a("a", float64_type);

/// How many lanes the loop over v gets with registers of 64 bytes; 0: it stays as it is.
int lanes(const Stmt& body, int count = 64, int unroll = 64) {
  LoopOptions options;
  options.unroll = unroll;
  const Stmt loop = for_loop(v, 0, count, body, options);
  const auto found = vector_loop(std::get<For>(loop->kind), 64);
  return found ? found->lanes : 0;
}

TEST(VectorLoop, RowsThatAreAddedToAreVectors) {
  const Expr there = op(Add, first, v);
  EXPECT_EQ(lanes(store(y, v, op(Mul, a, load(x, there)), StoreOp::Add)), 8);
  EXPECT_EQ(lanes(store(y, there, load(x, v))), 8);
  EXPECT_EQ(lanes(store(y, v, op(Add, load(y, v), load(x, v)))), 8);
  const Var index("k", int64_type);
  EXPECT_EQ(lanes(block({declare(index, there), store(y, index, op(Mul, load(x, index), load(x, first)))})), 8);
}

TEST(VectorLoop, OthersStayAsTheyAre) {
  const Stmt add = store(y, v, op(Mul, a, load(x, v)), StoreOp::Add);
  EXPECT_EQ(lanes(add, 64, 0), 0) << "not written out";
  EXPECT_EQ(lanes(add, 32, 64), 0) << "another length";
  EXPECT_EQ(lanes(add, 60, 60), 0) << "no multiple of a vector";
  EXPECT_EQ(lanes(add, 16, 16), 0) << "short";
  EXPECT_EQ(lanes(store(y, v, load(x, op(Mul, Expr(2), v)))), 0) << "every second element";
  EXPECT_EQ(lanes(store(y, v, load(x, op(Sub, first, v)))), 0) << "backwards";
  EXPECT_EQ(lanes(store(y, v, load(x, convert(load(n, v), Type::Int64)))), 0) << "elements anywhere";
  EXPECT_EQ(lanes(store(y, v, load(y, op(Add, v, Expr(1))))), 0) << "what a later turn stores";
  EXPECT_EQ(lanes(store(y, v, Expr(a))), 0) << "one value";
  EXPECT_EQ(lanes(store(y, v, op(Mul, convert(v, Type::Float64), load(x, v)))), 0) << "the counter as a number";
  EXPECT_EQ(lanes(store(y, first, load(x, v), StoreOp::Add)), 0) << "a sum";
}

/// The arrays that a loop over v, written out, streams to with registers of 64 bytes.
std::set<Var> streamed(const Stmt& body, int count = 64) {
  LoopOptions options;
  options.unroll = count;
  return streamed_arrays(block({declare(first, 0), for_loop(v, 0, count, body, options)}), 64);
}

TEST(VectorLoop, LastStoresOfRowsAreStreamed) {
  const Stmt copy = store(y, op(Add, first, v), load(x, v));
  EXPECT_EQ(streamed(last(copy)), std::set<Var>{y});
  EXPECT_EQ(streamed(copy), std::set<Var>()) << "not the last one";
  EXPECT_EQ(streamed(last(store(y, v, load(x, v), StoreOp::Add))), std::set<Var>()) << "what is there is read";
  EXPECT_EQ(streamed(last(copy), 16), std::set<Var>()) << "short";
}

}  // namespace
}  // namespace lacuna

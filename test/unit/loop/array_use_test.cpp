#include "lacuna/loop/array_use.h"

#include "unit/loop/harness.h"

namespace lacuna::loop::array_use_test {
namespace {

struct ArrayUse : testing::Test {
  Var i{"i", int64_type};
  Var w{"w", array_type(Type::Float64)}, v{"v", array_type(Type::Float64)}, n{"n", array_type(Type::Int64)};
};

TEST_F(ArrayUse, TellsWhatReadsAnArray) {
  EXPECT_TRUE(reads(load(v, i), v));
  EXPECT_FALSE(reads(load(v, i), w));
  EXPECT_TRUE(reads(lower_bound(n, 0, i, i), n));
  EXPECT_FALSE(reads(load(v, load(n, i)), n)) << "operands aside";
}

TEST_F(ArrayUse, TellsWhatChangesAnArrayOtherThanByAdding) {
  EXPECT_FALSE(changes(store(w, i, load(v, i), StoreOp::Add), w));
  EXPECT_TRUE(changes(store(w, i, load(v, i)), w));
  EXPECT_TRUE(changes(fill(w, 0, i, Expr(0.0)), w));
  EXPECT_TRUE(changes(release(w), w));
  EXPECT_FALSE(changes(store(v, i, Expr(1.0)), w));
}

TEST_F(ArrayUse, LooksAtEveryDepth) {
  const Stmt adds = for_loop(i, 0, 9, store(w, i, load(v, i), StoreOp::Add), {});
  EXPECT_TRUE(only_adds_to(adds, w));
  EXPECT_FALSE(only_adds_to(adds, v)) << "it is read";
  EXPECT_FALSE(only_adds_to(for_loop(i, 0, 9, block({adds, store(w, i, Expr(1.0))}), {}), w));
  EXPECT_FALSE(only_adds_to(store(w, load(n, i), load(v, load(n, i)), StoreOp::Add), n)) << "its elements are indices";
}

}  // namespace
}  // namespace lacuna::loop::array_use_test

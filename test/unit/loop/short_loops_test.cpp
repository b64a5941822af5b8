#include "unit/loop/harness.h"

namespace lacuna::loop::short_loops_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct ShortLoops : testing::Test {
  Var i{"i", int64_type}, k{"k", int64_type}, p{"p", int64_type};
  Var w{"w", array_type(Type::Float64)}, v{"v", array_type(Type::Float64)}, n{"n", array_type(Type::Int64)};

  std::string after(Stmt body, const Expr& low = 0, const Expr& high = 16, LoopOptions options = {}) {
    const Module module = kernel({updated(w), updated(n), input(v), input(k)},
                                 {for_loop(i, low, high, std::move(body), std::move(options))});
    verify(module);
    return to_string(vectorize_short_loops(module).body);
  }
  Stmt sum(const Expr& at, const Expr& value) const { return store(w, at, value, StoreOp::Add); }
};

TEST_F(ShortLoops, GoToLanesWhereIterationsStoreApart) {
  EXPECT_THAT(after(sum(i, load(v, i))), HasSubstr("vector for"));
  EXPECT_THAT(after(sum(Expr(k) * Expr(16) + Expr(i), load(v, k) * load(v, i))), HasSubstr("vector for"));
  EXPECT_THAT(after(block({declare(p, Expr(k) + Expr(i)), store(w, p, load(v, p))})), HasSubstr("vector for"));
  EXPECT_THAT(after(store(w, i, load(w, i) * load(v, i))), HasSubstr("vector for"));
}

TEST_F(ShortLoops, StayWhereTheyMayTouchTheSameElement) {
  EXPECT_THAT(after(sum(k, load(v, i))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(sum(load(n, i), load(v, i))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(sum(Expr(i) * Expr(2), load(v, i))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(sum(Expr(k) - Expr(i), load(v, i))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(sum(Expr(i) + Expr(i), load(v, i))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(store(w, i, load(w, Expr(i) + Expr(1)))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(block({sum(i, load(v, i)), sum(Expr(i) + Expr(1), load(v, i))})), Not(HasSubstr("vector")));
  EXPECT_THAT(after(atomic(sum(i, load(v, i)))), Not(HasSubstr("vector")));
}

TEST_F(ShortLoops, StayWhereTheyAreNotShortOrAreToRunOtherwise) {
  EXPECT_THAT(after(sum(i, load(v, i)), 0, k), Not(HasSubstr("vector")));
  EXPECT_THAT(after(sum(i, load(v, i)), 0, 65), Not(HasSubstr("vector")));
  EXPECT_THAT(after(sum(i, load(v, i)), 0, 3), Not(HasSubstr("vector")));
  LoopOptions unrolled;
  unrolled.unroll = 16;
  EXPECT_THAT(after(sum(i, load(v, i)), 0, 16, unrolled), Not(HasSubstr("vector")));
  EXPECT_THAT(after(if_then(Expr(k) > Expr(0), sum(i, load(v, i)))), Not(HasSubstr("vector")));
  EXPECT_THAT(after(store(n, i, Expr(i))), Not(HasSubstr("vector")));
}

}  // namespace
}  // namespace lacuna::loop::short_loops_test

#include "unit/loop/harness.h"

namespace lacuna::loop::barrier_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Threads of a launch that read what others of their block stored, in two blocks of four.
struct Barriers : testing::Test {
  Var block_number{"block", int64_type}, thread{"thread", int64_type}, self{"self", int64_type};
  Var y{"y", array_type(Type::Float64)}, z{"z", array_type(Type::Float64)}, k{"k", int64_type};
  std::vector<double> out = std::vector<double>(8, -1), way = std::vector<double>(8, -1);

  Module of(std::vector<Stmt> body) const {
    std::vector<Stmt> all{declare(self, block_number * Expr(4) + thread)};
    all.insert(all.end(), body.begin(), body.end());
    return kernel({updated(y), updated(z)}, {launch({"both", block_number, thread, Expr(2), 4, block(all), {}})});
  }
  /// Of the element of the thread whose number differs in these bits.
  Stmt read(std::int64_t bits) const {
    const Expr other =
        bits == 1 ? self + Expr(1) - Expr(2) * (self % Expr(2)) : self + Expr(2) - Expr(4) * (self / Expr(2) % Expr(2));
    return store(z, self, load(y, other));
  }
  Stmt stored() const { return store(y, self, convert(self, Type::Float64)); }
  std::vector<Binding> bindings() { return {bound(out), bound(way)}; }
};

TEST_F(Barriers, OrderWhatThreadsOfAGroupDo) {
  run(of({stored(), barrier(4), read(2)}), bindings());
  EXPECT_THAT(way, ElementsAre(2, 3, 0, 1, 6, 7, 4, 5));
  run(of({stored(), barrier(2), read(1)}), bindings());
  EXPECT_THAT(way, ElementsAre(1, 0, 3, 2, 5, 4, 7, 6));
  run(of({for_loop(k, 0, 3, block({stored(), barrier(4), read(2), barrier(4)}))}), bindings());
  const Stmt first = if_then(eq(thread, Expr(0)), store(y, self, 5.0));
  run(of({first, barrier(4), store(z, self, load(y, block_number * Expr(4)))}), bindings());
  EXPECT_THAT(way, ElementsAre(5, 5, 5, 5, 5, 5, 5, 5));
}

TEST_F(Barriers, ThatAreMissingAreFound) {
  EXPECT_THAT(failure(of({stored(), read(1)}), bindings()), HasSubstr("race"));
  EXPECT_THAT(failure(of({stored(), barrier(2), read(2)}), bindings()), HasSubstr("race"));
  EXPECT_THAT(failure(of({for_loop(k, 0, 3, block({stored(), barrier(4), read(2)}))}), bindings()), HasSubstr("race"));
  EXPECT_THAT(failure(of({barrier(4), store(y, 0, 1.0)}), bindings()), HasSubstr("race"));  // of both blocks
  // Those of the first pair wait before one of them stores, and one of the second pair has read.
  const Stmt all_read = store(z, self, load(y, block_number * Expr(4)));
  const Stmt first = if_then(eq(thread, Expr(0)), store(y, self, 5.0));
  EXPECT_THAT(failure(of({all_read, barrier(2), first}), bindings()), HasSubstr("race"));
}

TEST_F(Barriers, ThatOthersDoNotComeToAreFound) {
  EXPECT_THAT(failure(of({if_then(thread < Expr(2), barrier(4))}), bindings()),
              HasSubstr("waits for others of its group, which do not come"));
  run(of({if_then(thread < Expr(2), barrier(2))}), bindings());
}

TEST_F(Barriers, AreChecked) {
  EXPECT_THROW(barrier(3), InternalError);
  EXPECT_THROW(verify(of({barrier(8)})), InternalError);
  EXPECT_THROW(verify(kernel({updated(y), updated(z)}, {barrier(2)})), InternalError);
  EXPECT_EQ(to_string(barrier(4)), "barrier of 4;\n");
}

}  // namespace
}  // namespace lacuna::loop::barrier_test

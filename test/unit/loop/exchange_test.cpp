#include "unit/loop/harness.h"

namespace lacuna::loop::exchange_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Threads of a launch that wait for each other, in two blocks of four.
struct Exchanges : testing::Test {
  Var block_number{"block", int64_type}, thread{"thread", int64_type}, self{"self", int64_type};
  Var mine{"mine", float64_type}, other{"other", float64_type}, k{"k", int64_type};
  Var x{"x", array_type(Type::Float64)}, y{"y", array_type(Type::Float64)};
  std::vector<double> in{1, 2, 4, 8, 16, 32, 64, 128}, out = std::vector<double>(8, -1);

  Module of(std::vector<Stmt> body) const {
    std::vector<Stmt> all{declare(self, block_number * Expr(4) + thread), declare(mine, load(x, self)), declare(other)};
    all.insert(all.end(), body.begin(), body.end());
    return kernel({updated(y), input(x)}, {launch({"both", block_number, thread, Expr(2), 4, block(all), {}})});
  }
  Stmt exchanged(std::int64_t offset, std::int64_t group = 4) const { return exchange({other, mine, offset, group}); }
  Stmt added() const { return assign(mine, mine + other); }
  Stmt stored() const { return store(y, self, mine); }
  std::vector<Binding> bindings() { return {bound(out), bound(in)}; }
};

TEST_F(Exchanges, BringWhatAnotherThreadHas) {
  run(of({exchanged(1), store(y, self, other)}), bindings());
  EXPECT_THAT(out, ElementsAre(2, 1, 8, 4, 32, 16, 128, 64));
  run(of({exchanged(2), store(y, self, other)}), bindings());
  EXPECT_THAT(out, ElementsAre(4, 8, 1, 2, 64, 128, 16, 32));
}

TEST_F(Exchanges, AddUp) {
  run(of({exchanged(2), added(), exchanged(1), added(), stored()}), bindings());
  EXPECT_THAT(out, ElementsAre(15, 15, 15, 15, 240, 240, 240, 240));
  run(of({exchanged(1, 2), added(), stored()}), bindings());
  EXPECT_THAT(out, ElementsAre(3, 3, 12, 12, 48, 48, 192, 192));
}

/// Groups go their own ways; all of one go the same.
TEST_F(Exchanges, AreOfAGroup) {
  const Stmt of_first_pairs = if_then(thread < Expr(2), block({exchanged(1, 2), added()}));
  run(of({of_first_pairs, stored()}), bindings());
  EXPECT_THAT(out, ElementsAre(3, 3, 4, 8, 48, 48, 64, 128));
  const Stmt as_often_as_the_pair_says = for_loop(k, 0, thread / Expr(2), block({exchanged(1, 2), added()}));
  run(of({as_often_as_the_pair_says, stored()}), bindings());
  EXPECT_THAT(out, ElementsAre(1, 2, 12, 12, 16, 32, 192, 192));
}

/// Small arrays are each thread's own.
TEST_F(Exchanges, KeepArraysApart) {
  const Var w("w", array_type(Type::Float64));
  run(of({declare_local(w, 2), store(w, 1, mine), exchanged(1), store(y, self, load(w, 1))}), bindings());
  EXPECT_EQ(out, in);
}

TEST_F(Exchanges, ThatOthersDoNotComeToAreFound) {
  const Stmt of_one = if_then(eq(thread, Expr(2)), exchanged(1));
  EXPECT_THAT(failure(of({of_one, stored()}), bindings()),
              HasSubstr("thread 2 of both waits for others of its group, which do not come"));
  const Stmt apart = if_then(thread < Expr(2), exchanged(1), exchanged(1));
  EXPECT_THAT(failure(of({apart, stored()}), bindings()), HasSubstr("waits for others of its group"));
  const Stmt more_often = for_loop(k, 0, thread + Expr(1), exchanged(1, 2));
  EXPECT_THAT(failure(of({more_often, stored()}), bindings()), HasSubstr("waits for others of its group"));
}

TEST_F(Exchanges, FailWhereAThreadFails) {
  const Stmt outside = if_then(eq(thread, Expr(3)), store(y, 8, mine));
  EXPECT_THAT(failure(of({exchanged(2), outside, exchanged(1)}), bindings()), HasSubstr("y"));
  EXPECT_THAT(failure(of({exchange({mine, other, 1, 4})}), bindings()),
              HasSubstr("other is exchanged before it is assigned"));
}

/// Of threads of one block, and of several.
TEST_F(Exchanges, DoNotHideRaces) {
  EXPECT_THAT(failure(of({exchanged(1), store(y, 0, mine)}), bindings()), HasSubstr("race"));
  EXPECT_THAT(failure(of({exchanged(1), store(y, thread, mine)}), bindings()), HasSubstr("race"));
  EXPECT_THAT(failure(of({exchanged(1), store(y, block_number, mine)}), bindings()), HasSubstr("race"));
  EXPECT_THAT(failure(of({store(y, block_number, mine), exchanged(1)}), bindings()), HasSubstr("race"));
  const Stmt by_first = if_then(eq(thread, Expr(0)), store(y, block_number, mine));
  run(of({exchanged(2), by_first, exchanged(1), by_first}), bindings());
}

TEST_F(Exchanges, AreChecked) {
  EXPECT_THROW(exchanged(4), InternalError);
  EXPECT_THROW(exchanged(3), InternalError);
  EXPECT_THROW(verify(of({exchanged(1, 8)})), InternalError);
  EXPECT_THROW(verify(kernel({updated(y)}, {declare(mine, Expr(0.0)), declare(other), exchanged(1)})), InternalError);
  EXPECT_EQ(to_string(exchanged(2)), "other = exchange(mine, 2 of 4);\n");
}

}  // namespace
}  // namespace lacuna::loop::exchange_test

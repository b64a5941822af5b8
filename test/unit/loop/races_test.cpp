#include "unit/loop/harness.h"

namespace lacuna::loop::races_test {
namespace {

using testing::HasSubstr;

class Races : public testing::Test {
 protected:
  const Var i{"i", int64_type}, j{"j", int64_type}, a{"a", array_type(Type::Int64)}, b{"b", array_type(Type::Int64)};
  const Var s{"s", int64_type};
  std::vector<std::int64_t> first = {0, 1, 2, 3, 4, 5, 6, 7}, second = std::vector<std::int64_t>(8);

  /// What is wrong with running the body for i in [0, 4) in parallel; nothing: empty.
  std::string race(const Stmt& body, LoopMode mode = LoopMode::Parallel, std::vector<Reduction> reductions = {}) {
    const Module module = kernel({updated(a), updated(b), output(s)}, {for_loop(i, 0, 4, body, mode, reductions)});
    const std::string message = failure(module, {bound(first), bound(second), bound(Scalar(std::int64_t{0}))});
    return message == "(nothing failed)" ? "" : message;
  }
};

TEST_F(Races, IterationsThatTouchTheirOwnElementsAreFine) {
  EXPECT_EQ(race(block({store(b, i, load(a, i)), store(b, i, load(b, i) + 1)})), "");
}

TEST_F(Races, EveryIterationMayReadAnElement) { EXPECT_EQ(race(store(b, i, load(a, 0))), ""); }

TEST_F(Races, TwoIterationsMayNotWriteAnElement) {
  EXPECT_THAT(race(store(b, Expr(i) / 2, i)), HasSubstr("is written by one parallel iteration and written by another"));
  EXPECT_THAT(race(store(b, 0, i)), HasSubstr("a race: b at 0"));
}

TEST_F(Races, AnElementMayNotBeReadByOneAndWrittenByAnother) {
  EXPECT_THAT(race(store(a, i, load(a, (Expr(i) + 1) % 4))), HasSubstr("a race: a at"));
}

TEST_F(Races, AtomicUpdatesMayMeet) {
  EXPECT_EQ(race(atomic(store(b, 0, i, StoreOp::Add))), "");
  EXPECT_EQ(second[0], 6);
}

TEST_F(Races, AtomicAndPlainAccessesMayNotMeet) {
  EXPECT_THAT(race(block({atomic(store(b, 0, i, StoreOp::Add)), store(a, i, load(b, 0))})),
              HasSubstr("a race: b at 0"));
  EXPECT_THAT(race(if_then(eq(i, 2), store(b, 0, i), atomic(store(b, 0, i, StoreOp::Add)))),
              HasSubstr("a race: b at 0"));
}

TEST_F(Races, ReductionsMayBeUpdatedByAll) {
  const Module module =
      kernel({input(a), output(s)},
             {for_loop(i, 0, 8, assign(s, Expr(s) + load(a, i)), LoopMode::Parallel, {{s, StoreOp::Add}})});
  EXPECT_EQ(run(module, {bound(first), bound(Scalar(std::int64_t{0}))}).outputs[1].scalar, Scalar(std::int64_t{28}));
}

TEST_F(Races, OtherVariablesMayNot) {
  EXPECT_THAT(race(assign(s, i)), HasSubstr("a race: s is declared outside a parallel loop that assigns it"));
}

TEST_F(Races, VariablesOfTheIterationAreItsOwn) {
  const Var t("t", int64_type), w("w", array_type(Type::Int64));
  EXPECT_EQ(race(block({declare(t, i), assign(t, Expr(t) + 1), declare_array(w), allocate(w, 2, false), store(w, 0, t),
                        store(b, i, load(w, 0)), release(w)})),
            "");
}

TEST_F(Races, MemoryOfOutsideMayNotBeReallocatedInside) {
  const Module module = kernel({output(a)}, {for_loop(i, 0, 2, allocate(a, 3, true), LoopMode::Parallel)});
  EXPECT_THAT(failure(module, {nothing()}),
              HasSubstr("a race: a is declared outside a parallel loop that changes its memory"));
}

TEST_F(Races, LanesOfAVectorLoopAreWatchedToo) {
  EXPECT_THAT(race(store(a, Expr(i) + 1, load(a, i)), LoopMode::Vector), HasSubstr("a race: a at"));
}

TEST_F(Races, InnerParallelLoopsAreTheirOwnButStillOfTheOuterIteration) {
  const auto nested = [&](const Stmt& body) { return for_loop(j, 0, 2, body, LoopMode::Parallel); };
  EXPECT_EQ(race(nested(store(b, Expr(i) * 2 + j, 1))), "");
  EXPECT_THAT(race(nested(store(b, i, 1))), HasSubstr("a race")) << "two inner iterations";
  EXPECT_THAT(race(nested(store(b, j, 1))), HasSubstr("a race")) << "two outer iterations";
  EXPECT_EQ(race(block({store(b, i, 1), nested(store(a, Expr(i) * 2 + j, load(b, i))), store(b, i, 2)})), "")
      << "before, inside and after the inner loop, but in one outer iteration";
}

TEST_F(Races, LoopsOneAfterAnotherDoNotMeet) {
  const Module module = kernel({updated(a)}, {for_loop(i, 0, 4, store(a, i, 1), LoopMode::Parallel),
                                              for_loop(i, 0, 4, store(a, Expr(3) - i, 2), LoopMode::Parallel)});
  EXPECT_NO_THROW(run(module, {bound(first)}));
}

TEST_F(Races, AreNotLookedForWhenToldSo) {
  InterpretOptions options;
  options.check_races = false;
  const Module module = kernel({updated(a)}, {for_loop(i, 0, 4, store(a, 0, 7), LoopMode::Parallel)});
  EXPECT_NO_THROW(run(module, {bound(first)}, options));
}

TEST_F(Races, ParallelLoopsAreNotLeft) {
  EXPECT_THAT(race(if_then(Expr(i) > 1, break_loop())), HasSubstr("left by break or return"));
}

}  // namespace
}  // namespace lacuna::loop::races_test

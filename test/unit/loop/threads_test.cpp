#include "unit/loop/harness.h"

namespace lacuna::loop::threads_test {
namespace {

using testing::HasSubstr;

/// Parallel loops whose threads have memory of their own.
class Threads : public testing::Test {
 protected:
  const Var i{"i", int64_type}, j{"j", int64_type}, b{"b", array_type(Type::Int64)}, total{"total", int64_type};
  const Var w{"w", array_type(Type::Int64)}, sum{"sum", int64_type};
  std::vector<std::int64_t> values = std::vector<std::int64_t>(16);

  Module module(Stmt setup, Stmt body, Stmt teardown, std::vector<Reduction> reductions = {}) const {
    return kernel({updated(b), output(total)},
                  {loop(std::move(setup), std::move(body), std::move(teardown), std::move(reductions))});
  }
  Stmt loop(Stmt setup, Stmt body, Stmt teardown, std::vector<Reduction> reductions = {}) const {
    return for_loop(i, 0, 16, std::move(body),
                    {.mode = LoopMode::Parallel,
                     .reductions = std::move(reductions),
                     .setup = std::move(setup),
                     .teardown = std::move(teardown)});
  }
  Stmt workspace(bool zeroed) const { return block({declare_array(w), allocate(w, 4, zeroed)}); }
  std::vector<Binding> bindings() { return {bound(values), bound(Scalar(std::int64_t{0}))}; }
  std::string refusal(const Module& module) {
    try {
      verify(module);
    } catch (const InternalError& error) {
      return error.what();
    }
    return "(accepted)";
  }
};

TEST_F(Threads, MemoryOfAThreadIsUsedByItsIterationsInTurn) {
  const Module made = module(workspace(false), block({store(w, 0, i), store(b, i, load(w, 0))}), release(w));
  run(made, bindings());
  for (std::int64_t k = 0; k < 16; k++) EXPECT_EQ(values[static_cast<std::size_t>(k)], k);
}

TEST_F(Threads, AnIterationMayNotRelyOnWhatAnotherLeftBehind) {
  // Iteration 8 is the first of 16 to run, so that one thread would see what it wrote in all others.
  const Module made =
      module(workspace(false), block({if_then(eq(i, 8), store(w, 0, 7)), store(b, i, load(w, 0))}), release(w));
  EXPECT_THAT(failure(made, bindings()), HasSubstr("w at 0 is read and was never written"));
}

TEST_F(Threads, AThreadMayGetNoIteration) {
  const Module made = module(declare(j), assign(j, i), atomic(store(b, 0, j, StoreOp::Add)));
  EXPECT_THAT(failure(made, bindings()), HasSubstr("j is read before it is assigned"));
}

TEST_F(Threads, WhatAThreadAllocatesItReleases) {
  EXPECT_THAT(failure(module(workspace(true), store(w, 0, i), nullptr), bindings()),
              HasSubstr("w goes out of scope and was not released"));
}

TEST_F(Threads, EachThreadAddsUpByItselfAndHandsItsSumOverInTheEnd) {
  const Module made =
      module(declare(sum, 0), assign(sum, Expr(sum) + i), assign(total, Expr(total) + sum), {{total, StoreOp::Add}});
  EXPECT_EQ(run(made, bindings()).outputs[1].scalar, Scalar(std::int64_t{120}));
}

TEST_F(Threads, MemoryOfOthersIsWatchedInSetupAndTeardown) {
  const Stmt plain = store(b, 0, 1), body = store(b, Expr(i) / 16 + 1, 0);
  const Stmt fine = atomic(store(b, 0, 1, StoreOp::Add)), elsewhere = declare(j, load(b, 1));
  const auto raced = [&](const Stmt& setup, const Stmt& work, const Stmt& teardown) {
    return failure(module(setup, work, teardown), bindings());
  };
  EXPECT_THAT(raced(plain, block({}), nullptr), HasSubstr("a race: b at 0 is written"));
  EXPECT_THAT(raced(nullptr, block({}), plain), HasSubstr("a race: b at 0 is written"));
  EXPECT_THAT(raced(elsewhere, body, nullptr), HasSubstr("a race: b at 1 is written"));
  EXPECT_EQ(raced(fine, block({}), fine), "(nothing failed)");
}

TEST_F(Threads, AParallelLoopInsideIsWatchedOnMemoryOfTheThread) {
  const auto inner = [&](const Expr& place) {
    return module(workspace(true), for_loop(j, 0, 4, store(w, place, i), LoopMode::Parallel), release(w));
  };
  EXPECT_EQ(failure(inner(j), bindings()), "(nothing failed)");
  EXPECT_THAT(failure(inner(0), bindings()), HasSubstr("a race: w at 0"));
}

TEST_F(Threads, WhatIsCountedIsWhatOneThreadDoes) {
  const Module made = module(block({workspace(false), fill(w, 0, 4, 0)}), store(b, i, load(w, 0)), release(w));
  const Counters counters = run(made, bindings()).counters;
  EXPECT_EQ(counters.bytes_stored, (4 + 16) * 8);
  EXPECT_EQ(counters.bytes_loaded, 16 * 8);
  EXPECT_EQ(counters.trips.at("i"), 16);
}

TEST_F(Threads, AreForParallelLoopsOnly) {
  EXPECT_THROW(for_loop(i, 0, 16, block({}), {.setup = declare(j, 0)}), InternalError);
  EXPECT_THROW(for_loop(i, 0, 16, block({}), {.mode = LoopMode::Vector, .teardown = declare(j, 0)}), InternalError);
  For serial = std::get<For>(loop(declare(j, 0), block({}), nullptr)->kind);
  serial.mode = LoopMode::Serial;
  EXPECT_THAT(refusal(kernel({}, {std::make_shared<const StmtNode>(StmtNode{serial})})),
              HasSubstr("the loop over i has a setup, a teardown or sums and is not parallel"));
}

TEST_F(Threads, ScopesAreThatOfTheThreadAndThatOfTheIteration) {
  const Stmt own = declare(j, 0), use = atomic(store(b, 0, j, StoreOp::Add));
  EXPECT_EQ(refusal(module(own, use, use)), "(accepted)");
  EXPECT_EQ(refusal(kernel({updated(b)}, {loop(own, use, use), loop(own, use, use)})), "(accepted)");
  EXPECT_THAT(refusal(kernel({updated(b)}, {loop(own, use, use), use})), HasSubstr("j is used where"));
  EXPECT_THAT(refusal(module(store(b, i, 0), use, nullptr)), HasSubstr("i is used where"));
  EXPECT_THAT(refusal(module(nullptr, block({own, use}), use)), HasSubstr("j is used where"));
  EXPECT_THAT(refusal(module(declare(total, 0), use, nullptr)), HasSubstr("total is declared twice"));
  EXPECT_THAT(refusal(module(declare_array(b), use, nullptr)), HasSubstr("b is declared twice"));
  EXPECT_THAT(refusal(module(assign(total, 1), use, nullptr)), HasSubstr("all change total"));
  EXPECT_THAT(refusal(module(nullptr, block({}), break_loop())), HasSubstr("a parallel loop is left by break"));
}

TEST_F(Threads, ArePrintedAroundTheBody) {
  EXPECT_EQ(to_string(loop(declare(j, 0), assign(j, i), store(b, 0, j))),
            "parallel for (int64 i = 0; i < 16; i++) {\n  setup {\n    int64 j = 0;\n  }\n  j = i;\n"
            "  teardown {\n    b[0] = j;\n  }\n}\n");
}

TEST_F(Threads, SimplifyingDropsWhatIsNotUsedAndKeepsTheRest) {
  const auto simple = [&](const Module& made) { return to_string(simplify(made).body); };
  EXPECT_EQ(simple(module(workspace(true), store(b, i, i), release(w))),
            "parallel for (int64 i = 0; i < 16; i++) {\n  b[i] = i;\n}\n");
  EXPECT_EQ(simple(module(workspace(true), block({}), release(w))), "");
  const Module kept = module(nullptr, block({}), atomic(store(b, 0, 1, StoreOp::Add)));
  EXPECT_EQ(simplify(kept).body, kept.body);
  EXPECT_EQ(simple(module(declare(j, 2), store(b, i, j), nullptr)),
            "parallel for (int64 i = 0; i < 16; i++) {\n  b[i] = 2;\n}\n");
}

}  // namespace
}  // namespace lacuna::loop::threads_test

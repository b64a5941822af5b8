#include "unit/loop/harness.h"

namespace lacuna::loop::passes_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The passes for parallel loops, on loops written by hand: what they say, and that these compute the same after them.
struct ParallelPasses : testing::Test {
  Var i{"i", int64_type}, k{"k", int64_type}, n{"n", int64_type}, s{"s", float64_type}, c{"c", int64_type};
  Var x{"x", array_type(Type::Float64)}, y{"y", array_type(Type::Float64)}, own{"own", array_type(Type::Float64)};
  Var t{"t", float64_type};

  Module parallel(Stmt body, LoopOptions options = {}) const {
    options.mode = LoopMode::Parallel;
    return kernel({input(n), input(x), updated(y)},
                  {declare(s, 0.0), declare(c, 0), for_loop(i, 0, n, std::move(body), std::move(options)),
                   store(y, 0, s, StoreOp::Add), store(y, 1, convert(c, Type::Float64), StoreOp::Add)});
  }

  std::vector<double> result(const Module& module) const {
    const std::vector<double> in{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    std::vector<double> out(10, 0.5);
    run(module, {bound(Scalar(std::int64_t{10})), bound(in), bound(out)});
    return out;
  }

  /// The head of the loop after the pass, which may change nothing that is computed.
  std::string head(Module (*pass)(const Module&), const Module& before) const {
    const Module after = pass(before);
    EXPECT_EQ(result(after), result(before));
    const std::string text = to_string(after.body);
    const std::size_t begin = text.find("parallel for");
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  Stmt added(const Var& to, const Expr& at) const { return store(to, at, load(x, i), StoreOp::Add); }
  LoopOptions with_own() const { return {.sums = {{y, own, n, k}}}; }
};

TEST_F(ParallelPasses, SumsOfFloatsAreTheSameEachTime) {
  const Stmt sum = assign(s, Expr(s) + load(x, i)), count = assign(c, Expr(c) + 1);
  EXPECT_THAT(head(partition, parallel(sum, {.reductions = {{s, StoreOp::Add}}, .grain = 2})),
              HasSubstr(" fixed ordered grain(2)"));
  EXPECT_THAT(head(partition, parallel(count, {.reductions = {{c, StoreOp::Add}}, .grain = 2})),
              HasSubstr(" +=) ordered grain(2)"));
  EXPECT_THAT(head(partition, parallel(count, {.reductions = {{c, StoreOp::Add}}})), HasSubstr(" fixed ordered"));
}

TEST_F(ParallelPasses, IterationsOfTheirOwnGoToWhoeverIsFree) {
  const std::string text = head(partition, parallel(added(y, i)));
  EXPECT_THAT(text, Not(HasSubstr("fixed")));
  EXPECT_THAT(text, Not(HasSubstr("ordered")));
}

TEST_F(ParallelPasses, OneThreadTakesTheTotalWhereTheLoopOnlyAdds) {
  EXPECT_THAT(head(partition, parallel(added(own, 2), with_own())), HasSubstr(" reuse(own[n] adds to y) fixed"));
  EXPECT_THAT(head(partition, parallel(store(own, i, load(own, i) + load(x, i)), with_own())),
              HasSubstr(" own(own[n] adds to y) fixed"));
}

TEST_F(ParallelPasses, WhoAddsAtTheEndDoesSoInTurn) {
  LoopOptions options{.setup = declare(t, 0.0), .teardown = atomic(store(y, 3, t, StoreOp::Add))};
  EXPECT_THAT(head(partition, parallel(assign(t, Expr(t) + load(x, i)), options)), HasSubstr(" fixed ordered"));
}

TEST_F(ParallelPasses, TasksCaptureWhatTheyUse) {
  const Stmt local = block({declare(t, load(x, i)), store(y, i, t)});
  EXPECT_THAT(head(outline, parallel(local)), HasSubstr(" task(kernel_i: x, y)"));
  EXPECT_THAT(head(outline, parallel(added(own, i), with_own())), HasSubstr(" task(kernel_i: n, x, y)"));
  EXPECT_THAT(head(outline, parallel(assign(s, Expr(s) + load(x, i)), {.reductions = {{s, StoreOp::Add}}})),
              HasSubstr(" task(kernel_i: s, x)"));
}

TEST_F(ParallelPasses, ATaskHasANameOfItsOwnAndInnerLoopsHaveNone) {
  const Var taken("kernel_i", int64_type), j("j", int64_type);
  const Stmt inner = for_loop(j, 0, 1, added(y, i), LoopMode::Parallel);
  Module module = parallel(inner);
  module.body = block({declare(taken, 0), module.body});
  const std::string text = to_string(outline(module).body);
  EXPECT_THAT(text, HasSubstr(" task(kernel_i_2: x, y)"));
  EXPECT_THAT(text, HasSubstr("parallel for (int64 j = 0; j < 1; j++) {"));
}

TEST_F(ParallelPasses, AWrongCaptureIsFound) {
  Module module = outline(parallel(added(y, i)));
  auto statements = std::get<Block>(module.body->kind).statements;
  For loop = std::get<For>(statements[2]->kind);
  loop.task = std::make_shared<const Task>(Task{"kernel_i", {x}});
  statements[2] = std::make_shared<const StmtNode>(StmtNode{loop});
  module.body = block(statements);
  EXPECT_THROW(verify(module), InternalError);
}

}  // namespace
}  // namespace lacuna::loop::passes_test

#include <algorithm>
#include <chrono>

#include "unit/loop/harness.h"

namespace lacuna::loop::interpret_test {
namespace {

/// y(i) += A(i,j) * x(j) over CSR arrays.
Module spmv() {
  const Var n("n", int64_type), pos("A2_pos", array_type(Type::Int32)), crd("A2_crd", array_type(Type::Int32));
  const Var vals("A_vals", array_type(Type::Float64)), x("x_vals", array_type(Type::Float64));
  const Var y("y_vals", array_type(Type::Float64));
  const Var i("i", int64_type), p("pA2", int64_type), sum("sum", float64_type);
  const Stmt inner = for_loop(
      p, convert(load(pos, i), Type::Int64), convert(load(pos, Expr(i) + 1), Type::Int64),
      assign(sum, value_op(BinaryOp::Add, sum,
                           value_op(BinaryOp::Mul, load(vals, p), load(x, convert(load(crd, p), Type::Int64))))));
  const Stmt outer = for_loop(i, 0, n, block({declare(sum, 0.0), inner, store(y, i, sum)}));
  return kernel({input(n), input(pos), input(crd), input(vals), input(x), updated(y)}, {outer});
}

TEST(Interpret, RunsSparseMatrixTimesVector) {
  const std::vector<std::int32_t> pos = {0, 2, 2, 3}, crd = {0, 2, 1};
  const std::vector<double> vals = {1, 2, 3}, x = {10, 20, 30};
  std::vector<double> y(3, -1.0);
  const Interpretation done =
      run(spmv(), {bound(Scalar(std::int64_t{3})), bound(pos), bound(crd), bound(vals), bound(x), bound(y)});
  EXPECT_EQ(y, (std::vector<double>{70, 0, 60}));
  EXPECT_EQ(done.counters.operations, 6);
  EXPECT_EQ(done.counters.trips.at("i"), 3);
  EXPECT_EQ(done.counters.trips.at("pA2"), 3);
  EXPECT_EQ(done.counters.bytes_stored, 24);
  EXPECT_EQ(done.counters.bytes_loaded, 3 * 8 + 3 * (8 + 4 + 8));
}

TEST(Interpret, PreparesAModuleOnceAndRunsItManyTimes) {
  const Interpreter interpreter(spmv());
  const std::vector<std::int32_t> pos = {0, 1}, crd = {0};
  std::vector<double> y(1);
  for (double v = 1; v < 4; v++) {
    const std::vector<double> vals = {v}, x = {2};
    interpreter.run({bound(Scalar(std::int64_t{1})), bound(pos), bound(crd), bound(vals), bound(x), bound(y)});
    EXPECT_EQ(y[0], 2 * v);
  }
}

TEST(Interpret, NullArraysAreFineUntilTheyAreTouched) {
  std::vector<double> y;
  EXPECT_NO_THROW(run(spmv(), {bound(Scalar(std::int64_t{0})), nothing(), nothing(), nothing(), nothing(), bound(y)}));
}

TEST(Interpret, GivesAllocatedMemoryAndScalarsToOutParameters) {
  const Var n("n", int64_type), out("out", array_type(Type::Int32)), size("size", int64_type), k("k", int64_type);
  const Module module =
      kernel({input(n), output(out), output(size)},
             {allocate(out, n, false), for_loop(k, 0, n, store(out, k, convert(Expr(k) * k, Type::Int32))),
              resize(out, Expr(n) + 1), store(out, n, constant(Type::Int32, -7)), assign(size, Expr(n) + 1)});
  const Interpretation done = run(module, {bound(Scalar(std::int64_t{4})), nothing(), bound(Scalar(std::int64_t{0}))});
  EXPECT_EQ(elements<std::int32_t>(done.outputs[1]), (std::vector<std::int32_t>{0, 1, 4, 9, -7}));
  EXPECT_EQ(done.outputs[1].count, 5);
  EXPECT_EQ(done.outputs[2].scalar, Scalar(std::int64_t{5}));
  EXPECT_EQ(done.outputs[0].data, nullptr);
}

TEST(Interpret, LocalArraysAreZeroEachTimeAndAreNoTraffic) {
  const Var n("n", int64_type), i("i", int64_type), sums("sums", array_type(Type::Float64));
  const Var y("y_vals", array_type(Type::Float64));
  const Module module = kernel({input(n), updated(y)},
                               {for_loop(i, 0, n,
                                         block({declare_local(sums, 2), store(sums, 1, 3.0, StoreOp::Add),
                                                store(y, i, value_op(BinaryOp::Add, load(sums, 0), load(sums, 1)))}))});
  std::vector<double> result(2, -1.0);
  const Interpretation done = run(module, {bound(Scalar(std::int64_t{2})), bound(result)});
  EXPECT_EQ(result, (std::vector<double>{3, 3}));
  EXPECT_EQ(done.counters.bytes_stored, 16);
  EXPECT_EQ(done.counters.bytes_loaded, 0);
}

TEST(Interpret, ZeroedMemoryMayBeReadAndReleasedMemoryIsNoLeak) {
  const Var w("w", array_type(Type::Float64)), s("s", float64_type);
  const Module module =
      kernel({output(s)}, {declare_array(w), allocate(w, 3, true), assign(s, load(w, 2)), release(w)});
  EXPECT_EQ(run(module, {bound(Scalar(1.0))}).outputs[0].scalar, Scalar(0.0));
}

TEST(Interpret, SortsFillsAndSearches) {
  const Var a("a", array_type(Type::Int32)), at("at", int64_type);
  std::vector<std::int32_t> values = {9, 5, 3, 5, 1, 0};
  const Module module = kernel({updated(a), output(at)}, {sort(a, 1, 5), fill(a, 5, 6, constant(Type::Int32, 8)),
                                                          assign(at, lower_bound(a, 1, 6, constant(Type::Int32, 4)))});
  const Interpretation done = run(module, {bound(values), bound(Scalar(std::int64_t{0}))});
  EXPECT_EQ(values, (std::vector<std::int32_t>{9, 1, 3, 5, 5, 8}));
  EXPECT_EQ(done.outputs[1].scalar, Scalar(std::int64_t{3}));
}

TEST(Interpret, SortsWhatIsMarked) {
  const Var list("list", array_type(Type::Int32)), marks("marks", array_type(Type::UInt8));
  std::vector<std::int32_t> places = {3, 0, 1};
  std::vector<std::uint8_t> marked = {1, 3, 0, 1, 0};
  const Module module = kernel({updated(list), input(marks)}, {sort_marked(list, 3, marks, 5)});
  run(module, {bound(places), bound(marked)});
  EXPECT_EQ(places, (std::vector<std::int32_t>{0, 1, 3}));
}

TEST(Interpret, SearchesForMoreThanAnElementCanBe) {
  const Var a("a", array_type(Type::UInt8)), at("at", int64_type);
  std::vector<std::uint8_t> values = {0, 18, 19, 255};
  const Module module = kernel({input(a), output(at)}, {assign(at, lower_bound(a, 0, 4, 275))});
  EXPECT_EQ(run(module, {bound(values), bound(Scalar(std::int64_t{0}))}).outputs[1].scalar, Scalar(std::int64_t{4}));
}

TEST(Interpret, BreakLeavesOnlyTheInnermostLoop) {
  const Var i("i", int64_type), j("j", int64_type), s("s", int64_type);
  const Module module = kernel(
      {output(s)}, {for_loop(i, 0, 3, for_loop(j, 0, 10, block({if_then(Expr(j) >= 2, break_loop()), increment(s)})))});
  EXPECT_EQ(run(module, {bound(Scalar(std::int64_t{0}))}).outputs[0].scalar, Scalar(std::int64_t{6}));
}

TEST(Interpret, CallsFunctionsAlsoRecursively) {
  const Var n("n", int64_type), s("s", int64_type);
  Module module = kernel({output(s)}, {assign(s, invoke("fib", {15}, int64_type))});
  const Expr smaller = invoke("fib", {Expr(n) - 1}, int64_type), smallest = invoke("fib", {Expr(n) - 2}, int64_type);
  module.functions.push_back(
      {"fib", {n}, int64_type, block({if_then(Expr(n) < 2, return_value(n)), return_value(smaller + smallest)})});
  EXPECT_EQ(run(module, {bound(Scalar(std::int64_t{0}))}).outputs[0].scalar, Scalar(std::int64_t{610}));
}

TEST(Interpret, FunctionsStoreIntoTheArraysTheyAreGiven) {
  const Var a("a", array_type(Type::Float64)), k("k", int64_type), b("b", array_type(Type::Float64));
  Module module = kernel({updated(b)}, {evaluate(invoke("set", {1, b}, IrType{}))});
  module.functions.push_back({"set", {k, a}, IrType{}, store(a, k, 4.0)});
  std::vector<double> values(2);
  run(module, {bound(values)});
  EXPECT_EQ(values, (std::vector<double>{0, 4}));
}

TEST(Interpret, LoopsTakeStepsAndEvaluateTheirBoundsOnce) {
  const Var n("n", int64_type), i("i", int64_type), s("s", int64_type);
  const Module module =
      kernel({output(n), output(s)}, {for_loop_by(i, 1, n, 3, block({assign(n, 0), assign(s, Expr(s) * 10 + i)}))});
  const Interpretation done = run(module, {bound(Scalar(std::int64_t{8})), bound(Scalar(std::int64_t{0}))});
  EXPECT_EQ(done.outputs[1].scalar, Scalar(std::int64_t{147}));
}

TEST(Interpret, ParallelLoopsVisitEveryIterationOnceInAnotherOrder) {
  for (std::int64_t n = 0; n < 40; n++) {
    const Var out("out", array_type(Type::Int64)), i("i", int64_type), next("next", array_type(Type::Int64));
    const Module module =
        kernel({updated(out), updated(next)},
               {for_loop(i, 0, n, block({store(out, i, load(next, 0)), store(next, 0, 1, StoreOp::Add)}),
                         LoopMode::Parallel)});
    std::vector<std::int64_t> order(static_cast<std::size_t>(n), -1), counter = {0};
    InterpretOptions options;
    options.check_races = false;
    run(module, {bound(order), bound(counter)}, options);
    EXPECT_EQ(counter[0], n);
    std::vector<std::int64_t> sorted = order, ascending(order.size());
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < ascending.size(); k++) ascending[k] = static_cast<std::int64_t>(k);
    EXPECT_EQ(sorted, ascending);
    EXPECT_EQ(order == ascending, n <= 1);
  }
}

TEST(Interpret, RefusesAliasesOfWhatItWrites) {
  const Var a("a", array_type(Type::Float64)), b("b", array_type(Type::Float64));
  const Module module = kernel({input(a), updated(b)}, {store(b, 0, load(a, 1))});
  std::vector<double> values(3);
  EXPECT_THAT(failure(module, {bound(values), bound(values)}),
              testing::HasSubstr("b is written and shares memory with a"));
}

TEST(Interpret, RefusesAnotherNumberOfBindings) { EXPECT_THROW(interpret(spmv(), {}), InternalError); }

TEST(Interpret, IsFastEnoughForFuzzing) {
  // Far below what it does, so that a slow machine passes; a quadratic slip would not.
  const std::int64_t n = 100'000;
  std::vector<std::int32_t> pos(2), crd(static_cast<std::size_t>(n), 0);
  pos[1] = static_cast<std::int32_t>(n);
  const std::vector<double> vals(static_cast<std::size_t>(n), 1.0), x = {2.0};
  std::vector<double> y(1);
  const auto start = std::chrono::steady_clock::now();
  run(spmv(), {bound(Scalar(std::int64_t{1})), bound(pos), bound(crd), bound(vals), bound(x), bound(y)});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(y[0], 2.0 * static_cast<double>(n));
  EXPECT_LT(seconds, 2.0);
  RecordProperty("nodes_per_second", std::to_string(static_cast<double>(n) * 10 / seconds));
}

}  // namespace
}  // namespace lacuna::loop::interpret_test

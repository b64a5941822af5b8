#include <gtest/gtest.h>

#include "unit/jit/module_runner.h"

// Parallel loops whose threads have memory of their own, compiled and run on several threads.
namespace lacuna::threads_test {
namespace {

using namespace loop;

Binding memory(std::vector<std::int64_t>& values) {
  return {Scalar(), values.data(), static_cast<std::int64_t>(values.size())};
}
Binding number(std::int64_t value) { return {Scalar(value), nullptr, 0}; }

/// With every warning that would tell of a variable that a failure leaves without a value.
JitOptions strict() {
  JitOptions options{"cc", default_c_flags(), "", ""};
  for (const char* each : {"-Wall", "-Wextra", "-Werror"}) options.flags.emplace_back(each);
  return options;
}

/// sums[i] = 0 + 1 + … + i, by way of a workspace of the thread and, if told so, one of the iteration. `total` counts
/// iterations, by way of a counter of the thread.
Module with_workspaces(bool iteration_allocates) {
  const Var n("n", int64_type), sums("sums", array_type(Type::Int64)), total("total", int64_type);
  const Var w("w", array_type(Type::Int64)), u("u", array_type(Type::Int64)), mine("mine", int64_type);
  const Var v("v", array_type(Type::Int64)), i("i", int64_type), k("k", int64_type);
  const Stmt setup = block({declare_array(w), allocate(w, n, true), declare(mine, 0), declare_array(u),
                            allocate(u, 1, false), store(u, 0, 0)});
  std::vector<Stmt> body = {for_loop(k, 0, Expr(i) + 1, store(w, k, k), {.unroll = 4}),
                            for_loop(k, 0, Expr(i) + 1, store(sums, i, load(w, k), StoreOp::Add)),
                            fill(w, 0, Expr(i) + 1, 0), increment(mine), store(u, 0, 1, StoreOp::Add)};
  if (iteration_allocates) {
    body.insert(body.begin(), {declare_array(v), allocate(v, Expr(i) + 1, true)});
    body.insert(body.end(), {store(sums, i, load(v, i), StoreOp::Add), release(v)});
  }
  const Stmt teardown =
      block({if_then(eq(mine, load(u, 0)), assign(total, Expr(total) + mine)), release(w), release(u)});
  Module module;
  module.name = "kernel";
  module.parameters = {{n, ""}, {sums, "", false, true}, {total, "", true, true}};
  module.body = for_loop(i, 0, n, block(std::move(body)),
                         {.mode = LoopMode::Parallel,
                          .reductions = {{total, StoreOp::Add}},
                          .setup = setup,
                          .teardown = teardown,
                          .grain = 3});
  return module;
}

std::vector<std::int64_t> expected_sums(std::int64_t n) {
  std::vector<std::int64_t> sums;
  for (std::int64_t i = 0; i < n; i++) sums.push_back(i * (i + 1) / 2);
  return sums;
}

TEST(CompiledThreads, WorkWithMemoryOfTheirOwn) {
  Jit jit(strict());
  for (const bool iteration_allocates : {false, true}) {
    const Module module = with_workspaces(iteration_allocates);
    std::vector<std::int64_t> interpreted(200);
    EXPECT_EQ(interpret(module, {number(200), memory(interpreted), number(7)}).outputs[2].scalar,
              Scalar(std::int64_t{207}));
    EXPECT_EQ(interpreted, expected_sums(200));
    CompiledModule compiled(module, jit);
    for (const int threads : {1, 2, 5}) {
      std::vector<std::int64_t> sums(200);
      TestContext context(threads);
      ASSERT_EQ(compiled.run({number(200), memory(sums), number(7)}, context), LACUNA_OK);
      EXPECT_EQ(sums, expected_sums(200));
      EXPECT_EQ(compiled.levels()[2].origin, 207);
      EXPECT_EQ(context.live(), 0U);
    }
  }
}

TEST(CompiledThreads, AnyAllocationOfAnyThreadMayFail) {
  Jit jit(strict());
  CompiledModule compiled(with_workspaces(true), jit);
  for (const int threads : {1, 4}) {
    const int needed = 2 * threads + 20;  // two a thread, one an iteration
    for (int allocations = 0; allocations < needed; allocations++) {
      std::vector<std::int64_t> sums(20);
      TestContext context(threads);
      context.fail_after(allocations);
      ASSERT_EQ(compiled.run({number(20), memory(sums), number(0)}, context), LACUNA_OUT_OF_MEMORY) << allocations;
      EXPECT_EQ(compiled.levels()[2].origin, 0) << "a failed kernel hands nothing out";
    }
    std::vector<std::int64_t> sums(20);
    TestContext context(threads);
    context.fail_after(needed);
    ASSERT_EQ(compiled.run({number(20), memory(sums), number(0)}, context), LACUNA_OK);
    EXPECT_EQ(sums, expected_sums(20));
  }
}

/// out: for each i the numbers 0 … i-1, one row after another. Rows are made in parallel, each in an array of its own,
/// which the shelf carries to a second loop.
Module rows_by_shelf() {
  const IrType array = array_type(Type::Int64);
  const Var n("n", int64_type), out("out", array), size("size", int64_type), rows("rows", shelf_type(array));
  const Var pos("pos", array), row("row", array), i("i", int64_type), k("k", int64_type);
  const Stmt make = block(
      {declare_array(row), allocate(row, Expr(i) + 1, false), for_loop(k, 0, i, store(row, k, k)), keep(rows, i, row)});
  const Stmt copy = block({declare_array(row), take(row, rows, i),
                           for_loop(k, 0, i, store(out, Expr(k) + load(pos, i), load(row, k))), release(row)});
  Module module;
  module.name = "kernel";
  module.parameters = {{n, ""}, {out, "", true, true}, {size, "", true, true}};
  module.body =
      block({declare_array(rows), allocate(rows, n, true), for_loop(i, 0, n, make, LoopMode::Parallel),
             declare_array(pos), allocate(pos, Expr(n) + 1, true),
             for_loop(i, 0, n, store(pos, Expr(i) + 1, load(pos, i) + i)), assign(size, load(pos, n)),
             allocate(out, size, false), for_loop(i, 0, n, copy, LoopMode::Parallel), release(pos), release(rows)});
  return module;
}

TEST(CompiledThreads, HandArraysOverOnAShelf) {
  Jit jit(strict());
  CompiledModule compiled(rows_by_shelf(), jit);
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < 300; i++) {
    for (std::int64_t k = 0; k < i; k++) expected.push_back(k);
  }
  for (const int threads : {1, 3}) {
    TestContext context(threads);
    ASSERT_EQ(compiled.run({number(300), {}, number(0)}, context), LACUNA_OK);
    ASSERT_EQ(compiled.levels()[2].origin, static_cast<std::int64_t>(expected.size()));
    const auto* out = static_cast<const std::int64_t*>(compiled.levels()[1].crd.data);
    EXPECT_EQ(std::vector<std::int64_t>(out, out + expected.size()), expected);
    EXPECT_EQ(context.live(), 1U) << "only the result may stay";
  }
  const Interpretation interpreted = interpret(rows_by_shelf(), {number(300), {}, number(0)});
  const auto* out = static_cast<const std::int64_t*>(interpreted.outputs[1].data.get());
  EXPECT_EQ(std::vector<std::int64_t>(out, out + interpreted.outputs[1].count), expected);
  for (int allocations = 0; allocations < 13; allocations++) {  // ten rows, the shelf, the positions and the result
    TestContext context(3);
    context.fail_after(allocations);
    EXPECT_EQ(compiled.run({number(10), {}, number(0)}, context), LACUNA_OUT_OF_MEMORY);
  }
}

TEST(CompiledThreads, ALoopInsideAParallelOneIsOfItsThread) {
  const Var n("n", int64_type), sums("sums", array_type(Type::Int64)), i("i", int64_type), k("k", int64_type);
  const Var w("w", array_type(Type::Int64)), own("own", int64_type);
  const Stmt inner = for_loop(k, 0, Expr(i) + 1, block({store(w, 0, k, StoreOp::Add), increment(own)}),
                              {.mode = LoopMode::Parallel,
                               .setup = block({declare_array(w), allocate(w, 1, true), declare(own, 0)}),
                               .teardown = block({atomic(store(sums, i, load(w, 0), StoreOp::Add)), release(w)})});
  Module module;
  module.name = "kernel";
  module.parameters = {{n, ""}, {sums, "", false, true}};
  module.body = for_loop(i, 0, n, block({inner, inner}), LoopMode::Parallel);
  Jit jit(JitOptions{"cc", default_c_flags(), "", ""});
  CompiledModule compiled(module, jit);
  std::vector<std::int64_t> sums_of_rows(300), interpreted(300);
  TestContext context(3);
  ASSERT_EQ(compiled.run({number(300), memory(sums_of_rows)}, context), LACUNA_OK);
  interpret(module, {number(300), memory(interpreted)});
  EXPECT_EQ(sums_of_rows, interpreted);
  EXPECT_EQ(interpreted[299], 299 * 300);
  EXPECT_EQ(context.live(), 0U);
}

}  // namespace
}  // namespace lacuna::threads_test

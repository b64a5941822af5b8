#include "golden/second_printer.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "golden/kernels.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/walk.h"

// What docs/explanation/adding-a-backend.md says that a printer may rely on.
namespace lacuna::golden {
namespace {

using namespace loop;

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> all = kernels();
  for (Kernel& each : scheduled_kernels()) all.push_back(std::move(each));
  return all;
}

Module module_of(const Kernel& kernel, Jit& jit) {
  Options options;
  options.stop_before_code = true;
  options.target.vector_bytes = std::int64_t{32} * 64;  // the same on every machine
  return make_plan(check_request(kernel.request, options), options, jit).lowered.module;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// How many vector loads and stores past the caches are outside of loops of lanes.
int stray_vectors(const Stmt& s) {
  const auto* each = std::get_if<For>(&s->kind);
  if (each != nullptr && each->lanes > 0) return 0;
  const auto* store = std::get_if<Store>(&s->kind);
  int found = store != nullptr && store->past_caches.defined() ? 1 : 0;
  for (const loop::Expr& own : expressions(s))
    for_each(own, [&](const loop::Expr& e) {
      const auto* load = std::get_if<Load>(&e.node().kind);
      if (load != nullptr && load->wide) ++found;
    });
  for (const Stmt& inside : statements(s)) found += stray_vectors(inside);
  return found;
}

/// Whether every outermost parallel loop is a task, and no other loop is.
bool is_outlined(const Stmt& s, bool in_task = false) {
  const auto* each = std::get_if<For>(&s->kind);
  if (each != nullptr && (each->task != nullptr) != (each->mode == LoopMode::Parallel && !in_task)) return false;
  const bool in_task_below = in_task || (each != nullptr && each->task != nullptr);
  const std::vector<Stmt> inside = statements(s);
  return std::all_of(inside.begin(), inside.end(),
                     [&](const Stmt& below) { return is_outlined(below, in_task_below); });
}

TEST(SecondPrinter, PrintsALoopOfThreadsAsATaskAndItsLaunch) {
  const Var i("i", int64_type), n("n", int64_type), s("s", scalar_type(Type::Float64));
  const Var x("x", array_type(Type::Float64)), y("y", array_type(Type::Float64));
  LoopOptions options{.mode = LoopMode::Parallel, .reductions = {{s, StoreOp::Add}}};
  Module module;
  module.name = "sum";
  module.parameters = {{n, "x->levels[0].extent"}, {x, "x->vals.data"}, {y, "y->vals.data", false, true}};
  module.body =
      block({declare(s, 0.0), for_loop(i, 0, n, assign(s, loop::Expr(s) + load(x, i)), options), store(y, 0, s)});
  EXPECT_EQ(print_lists(outline(partition(module))),
            "(task sum_i (uses s x) (own s) (iterations i (assign s (+ s (load x i)))) (in-order) (combine add s))\n"
            "(kernel sum (in n x->levels[0].extent) (in x x->vals.data) (inout y y->vals.data) "
            "(do (declare s 0) (launch sum_i 0 n 1 fixed) (store y 0 s)))\n");
}

TEST(SecondPrinter, PrintsEveryKernel) {
  Jit jit({"cc", {}, "", ""});
  std::size_t tasks = 0;
  for (const Kernel& kernel : all_kernels()) {
    const std::string text = print_lists(module_of(kernel, jit));
    EXPECT_EQ(count(text, "("), count(text, ")")) << kernel.name;
    EXPECT_EQ(count(text, "(task "), count(text, "(launch ")) << kernel.name;
    tasks += count(text, "(task ");
  }
  EXPECT_GT(tasks, 0U);
}

TEST(SecondPrinter, OutermostParallelLoopsAreTasksAndInnerOnesAreNot) {
  Jit jit({"cc", {}, "", ""});
  for (const Kernel& kernel : all_kernels()) EXPECT_TRUE(is_outlined(module_of(kernel, jit).body)) << kernel.name;
}

/// A row of 64 elements that is copied, which nobody reads soon.
Module row_copied() {
  const Var k("k", int64_type), x("x", array_type(Type::Float64)), y("y", array_type(Type::Float64));
  Module module;
  module.name = "copy";
  module.parameters = {{x, "x->vals.data"}, {y, "y->vals.data", false, true}};
  module.body = for_loop(k, 0, 64, stream(store(y, k, load(x, k)), loop::Expr(true)), {.unroll = 64});
  return stream_stores(vectorize_rows(module, 64));
}

TEST(SecondPrinter, PrintsLoopsOfVectors) {
  EXPECT_EQ(print_lists(row_copied()),
            "(kernel copy (in x x->vals.data) (inout y y->vals.data) "
            "(do (for-vectors k 64 8 (stream y k (load-vector x k) true)) (fence)))\n");
}

TEST(SecondPrinter, VectorLoadsAndStreamsAreInLoopsOfLanesOnly) {
  Jit jit({"cc", {}, "", ""});
  for (const Kernel& kernel : all_kernels()) EXPECT_EQ(stray_vectors(module_of(kernel, jit).body), 0) << kernel.name;
  EXPECT_EQ(stray_vectors(row_copied().body), 0);
  EXPECT_EQ(stray_vectors(std::get<For>(statements(row_copied().body).front()->kind).body), 2) << "outside of its loop";
}

}  // namespace
}  // namespace lacuna::golden

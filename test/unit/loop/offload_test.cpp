#include "unit/loop/harness.h"

namespace lacuna::loop::offload_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Kernels as programs of a host and a device.
struct Offload : testing::Test {
  Var i{"i", int64_type}, k{"k", int64_type}, n{"n", int64_type}, t{"t", float64_type}, count{"count", int64_type};
  Var x{"x", array_type(Type::Float64)}, y{"y", array_type(Type::Float64)}, w{"w", array_type(Type::Float64)};
  Var pos{"pos", array_type(Type::Int64)};
  std::vector<double> in = std::vector<double>(11), out = std::vector<double>(11, -1);

  Offload() {
    for (std::size_t j = 0; j < in.size(); j++) in[j] = static_cast<double>(1U << j);
  }
  static Module offloaded(const Module& module) {
    Module device = offload(module, {4, 2, true, 2});
    verify(device);
    return device;
  }
  Module of(std::vector<Stmt> body) const { return kernel({updated(y), input(x), input(n)}, std::move(body)); }
  Stmt parallel(const Expr& low, const Expr& high, Stmt body, LoopOptions options = {}) const {
    options.mode = LoopMode::Parallel;
    return for_loop(i, low, high, std::move(body), std::move(options));
  }
  /// What stands in y after both programs have run, which must agree.
  std::vector<double> result(const Module& module) {
    const std::vector<double> before = out;
    const auto bindings = [&] { return std::vector<Binding>{bound(out), bound(in), bound(Scalar(std::int64_t{11}))}; };
    run(module, bindings());
    const std::vector<double> expected = std::exchange(out, before);
    run(offloaded(module), bindings());
    EXPECT_EQ(out, expected);
    return out;
  }
};

TEST_F(Offload, GivesEachIterationAThread) {
  const Module module = of({parallel(0, n, store(y, i, load(x, i)))});
  EXPECT_EQ(result(module), in);
  EXPECT_EQ(to_string(offloaded(module).body),
            "int64 i_trips = max(0, n);\n"
            "int64 i_blocks = (i_trips + 3) / 4;\n"
            "launch kernel_i(block of i_blocks, thread of 4: i_trips, x, y) {\n"
            "  int64 self = block * 4 + thread;\n"
            "  if (self < i_trips) {\n"
            "    int64 i = self;\n"
            "    y[i] = x[i];\n"
            "  }\n"
            "}\n");
}

TEST_F(Offload, KeepsBoundsAndSteps) {
  EXPECT_THAT(result(of({parallel(3, n, store(y, i, load(x, i)), {.step = 5})})),
              testing::ElementsAre(-1, -1, -1, 8, -1, -1, -1, -1, 256, -1, -1));
  out.assign(11, -1);
  EXPECT_THAT(result(of({parallel(n, 3, store(y, i, load(x, i)))})), testing::Each(-1));
}

TEST_F(Offload, AddsUpWhatThreadsHaveOfASum) {
  const Module module =
      of({declare(t, 0.5), parallel(0, n, assign(t, Expr(t) + load(x, i)), {.reductions = {{t, StoreOp::Add}}}),
          store(y, 0, t)});
  EXPECT_EQ(result(module)[0], 2047.5);
}

TEST_F(Offload, GivesThreadsPartsOfAnArrayInPlaceOfTheirOwn) {
  const Stmt setup = block({declare_array(w), allocate(w, Expr(n) + Expr(1), false)});
  const Stmt body = block({store(w, Expr(n) - i, load(x, i)), store(y, i, load(w, Expr(n) - i))});
  EXPECT_EQ(result(of({parallel(0, n, body, {.setup = setup, .teardown = release(w)})})), in);
}

TEST_F(Offload, AddsUpArraysOfThreads) {
  const Stmt body = store(w, Expr(i) % Expr(3), load(x, i), StoreOp::Add);
  const Module module = of({fill(y, 0, 3, 0.0), parallel(0, n, body, {.sums = {{y, w, Expr(3), k}}})});
  EXPECT_THAT(result(module), testing::ElementsAre(585, 1170, 292, -1, -1, -1, -1, -1, -1, -1, -1));
}

TEST_F(Offload, ReadsBackWhatTheHostHasToKnow) {
  const Module module = kernel({output(pos), output(count), input(n)},
                               {allocate(pos, Expr(n) + Expr(1), true),
                                parallel(0, n, store(pos, Expr(i) + Expr(1), Expr(i) % Expr(3))), assign(count, 0),
                                for_loop(k, 0, n,
                                         block({assign(count, Expr(count) + load(pos, Expr(k) + Expr(1))),
                                                store(pos, Expr(k) + Expr(1), count)})),
                                declare_array(w), allocate(w, load(pos, n), true), release(w)});
  const Interpretation ran =
      run(offloaded(module), {nothing(), bound(Scalar(std::int64_t{0})), bound(Scalar(std::int64_t{5}))});
  EXPECT_EQ(elements<std::int64_t>(ran.outputs[0]), (std::vector<std::int64_t>{0, 0, 1, 3, 3, 4}));
  EXPECT_EQ(ran.outputs[1].scalar, Scalar(std::int64_t{4}));
  const std::string text = to_string(offloaded(module).body);
  EXPECT_THAT(text, HasSubstr("count = read_back(count_out[0]);"));
  EXPECT_THAT(text, HasSubstr("pos_read = read_back(pos[n]);"));
}

TEST_F(Offload, RunsSerialStatementsByOneThread) {
  const Module module = of(
      {declare(t, load(x, 3)), store(y, 1, t), for_loop(k, 2, n, store(y, k, load(y, Expr(k) - Expr(1)) + Expr(1.0)))});
  EXPECT_EQ(result(module)[10], 17);
  const std::string text = to_string(offloaded(module).body);
  EXPECT_EQ(text.find("launch"), text.rfind("launch")) << text;
}

TEST_F(Offload, LeavesTheHostItsLoopsAndBranches) {
  const Stmt body = block({parallel(0, n, store(y, i, load(y, i) + load(x, i)))});
  const Module module = of({fill(y, 0, n, 0.0), for_loop(k, 0, 3, if_then(load(x, k) < Expr(3.0), body))});
  EXPECT_EQ(result(module)[10], 2048);
}

TEST_F(Offload, RefusesWhatThreadsOfADeviceCannotDo) {
  const auto refusal = [&](const Stmt& body) -> std::string {
    try {
      offload(of({parallel(0, n, body)}), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "(accepted)";
  };
  const Stmt grows = block({declare_array(w), allocate(w, 1, true), resize(w, 2), release(w)});
  EXPECT_THAT(refusal(grows), HasSubstr("cannot run on a device: its threads would have to"));
  EXPECT_THAT(refusal(matrix_product({{y, 0, 1}, {x, 0, 1}, Matrix{x, 0, 1}, 1, 1, 1})), HasSubstr("call BLAS"));
}

TEST_F(Offload, RacesBetweenThreadsAreFound) {
  const Module module = offloaded(of({parallel(0, n, store(y, 0, load(x, i)))}));
  EXPECT_THAT(failure(module, {bound(out), bound(in), bound(Scalar(std::int64_t{11}))}),
              HasSubstr("a race: y at 0 is written"));
}

TEST_F(Offload, LaunchesAreVerified) {
  const auto refusal = [&](const Stmt& stmt) -> std::string {
    try {
      verify(of({declare(t, 0.0), stmt}));
    } catch (const InternalError& error) {
      return error.what();
    }
    return "(accepted)";
  };
  const Var b{"b", int64_type}, self{"self", int64_type}, b2{"b2", int64_type}, self2{"self2", int64_type};
  const auto launched = [&](const Stmt& body) { return launch({"k1", b, self, Expr(1), 4, body, {}}); };
  EXPECT_EQ(refusal(launched(store(y, self, 1.0))), "(accepted)");
  EXPECT_THAT(refusal(launched(assign(t, Expr(1.0)))), HasSubstr("t"));
  EXPECT_THAT(refusal(launched(launch({"k2", b2, self2, Expr(1), 4, store(y, self2, 1.0), {}}))),
              HasSubstr("inside of a parallel loop or of another launch"));
  EXPECT_THAT(refusal(make_stmt(Launch{"k1", b, self, Expr(1), 4, store(y, self, 1.0), {}})),
              HasSubstr("does not capture what it uses"));
  EXPECT_THAT(refusal(read_back(n, pos, 0)), HasSubstr("n"));
}

}  // namespace
}  // namespace lacuna::loop::offload_test

#include "lacuna/loop/walk.h"
#include "unit/loop/harness.h"

namespace lacuna::loop::vectors_test {
namespace {

using enum BinaryOp;

/// The passes for vectors, on loops written by hand: what they find, and that these compute the same after them.
struct VectorPasses : testing::Test {
  Var y{"y", array_type(Type::Float64)}, x{"x", array_type(Type::Float64)}, n{"n", array_type(Type::Int32)};
  Var v{"v", int64_type}, i{"i", int64_type}, first{"first", int64_type}, size{"size", int64_type};
  Var a{"a", float64_type};

  static Expr op(BinaryOp op, const Expr& a, const Expr& b) { return value_op(op, a, b); }
  Expr there() const { return op(Add, first, v); }

  Stmt written_out(Stmt body, int count = 64, int unroll = 64) const {
    LoopOptions options;
    options.unroll = unroll;
    return for_loop(v, 0, count, std::move(body), options);
  }
  Module around(Stmt loop) const {
    return kernel({input(first), input(size), input(a), input(n), input(x), updated(y)}, {std::move(loop)});
  }

  static std::vector<double> result(const Module& module) {
    std::vector<double> in(136), out(136, 0.5);
    std::vector<std::int32_t> places(136, 1);
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<double>(k * k);
    InterpretOptions options;
    options.check_races = false;
    run(module,
        {bound(Scalar(std::int64_t{65})), bound(Scalar(std::int64_t{136})), bound(Scalar(2.5)), bound(places),
         bound(in), bound(out)},
        options);
    return out;
  }

  /// How many lanes the loop over v gets with registers of 64 bytes; 0: it stays as it is.
  int lanes(const Stmt& body, int count = 64, int unroll = 64) const {
    const Module before = around(written_out(body, count, unroll)), after = vectorize_rows(before, 64);
    EXPECT_EQ(result(after), result(before));
    int found = 0;
    for_each(after.body, [&](const Stmt& s) {
      if (const auto* loop = std::get_if<For>(&s->kind)) found = loop->lanes;
    });
    return found;
  }

  /// The kernel after both passes.
  std::string streamed(const Module& before) const {
    const Module after = stream_stores(vectorize_rows(before, 64));
    EXPECT_EQ(result(after), result(before));
    return to_string(after.body);
  }
  Stmt last(const Stmt& store) const { return stream(store, size >= 100); }
};

TEST_F(VectorPasses, RowsThatAreAddedToAreVectors) {
  EXPECT_EQ(lanes(store(y, v, op(Mul, a, load(x, there())), StoreOp::Add)), 8);
  EXPECT_EQ(lanes(store(y, there(), load(x, v))), 8);
  EXPECT_EQ(lanes(store(y, v, op(Add, load(y, v), load(x, v)))), 8);
  const Var index("k", int64_type);
  EXPECT_EQ(lanes(block({declare(index, there()), store(y, index, op(Mul, load(x, index), load(x, first)))})), 8);
}

TEST_F(VectorPasses, OthersStayAsTheyAre) {
  const Stmt add = store(y, v, op(Mul, a, load(x, v)), StoreOp::Add);
  EXPECT_EQ(lanes(add, 64, 0), 0) << "not written out";
  EXPECT_EQ(lanes(add, 32, 64), 0) << "another length";
  EXPECT_EQ(lanes(add, 60, 60), 0) << "no multiple of a vector";
  EXPECT_EQ(lanes(add, 16, 16), 0) << "short";
  EXPECT_EQ(lanes(store(y, v, load(x, op(Mul, Expr(2), v)))), 0) << "every second element";
  EXPECT_EQ(lanes(store(y, v, load(x, op(Sub, first, v)))), 0) << "backwards";
  EXPECT_EQ(lanes(store(y, v, load(x, convert(load(n, v), Type::Int64)))), 0) << "elements anywhere";
  EXPECT_EQ(lanes(store(y, v, load(y, op(Add, v, Expr(1))))), 0) << "what a later turn stores";
  EXPECT_EQ(lanes(store(y, v, Expr(a))), 0) << "one value";
  EXPECT_EQ(lanes(store(y, v, op(Mul, convert(v, Type::Float64), load(x, v)))), 0) << "the counter as a number";
  EXPECT_EQ(lanes(store(y, first, load(x, v), StoreOp::Add)), 0) << "a sum";
}

TEST_F(VectorPasses, NeighboursAreMarked) {
  const Module after = vectorize_rows(around(written_out(store(y, v, op(Mul, load(x, first), load(x, there()))))), 64);
  EXPECT_EQ(to_string(after.body),
            "vector for (int64 v = 0; v < 64; v++) lanes(8) {\n"
            "  y[v] = x[first] * wide x[first + v];\n"
            "}\n");
}

TEST_F(VectorPasses, LastStoresOfWholeVectorsPassTheCaches) {
  EXPECT_EQ(streamed(around(written_out(last(store(y, there(), load(x, v)))))),
            "vector for (int64 v = 0; v < 64; v++) lanes(8) {\n"
            "  stream(size >= 100) y[first + v] = wide x[v];\n"
            "}\n"
            "fence;\n");
}

TEST_F(VectorPasses, StoresOfSingleElementsDoNot) {
  EXPECT_EQ(streamed(around(written_out(last(store(y, there(), load(x, v))), 16, 16))),
            "for (int64 v = 0; v < 16; v++) unroll(16) {\n"
            "  y[first + v] = x[v];\n"
            "}\n");
}

TEST_F(VectorPasses, NorDoThoseToArraysThatTheKernelMakes) {
  const Var made("made", array_type(Type::Float64));
  const Stmt body = block({declare_array(made), allocate(made, 64, false),
                           written_out(last(store(made, v, load(x, v)))), store(y, 0, load(made, 3)), release(made)});
  const std::string text = streamed(around(body));
  EXPECT_THAT(text, testing::HasSubstr("lanes(8)"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("stream")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("fence")));
}

TEST_F(VectorPasses, EachThreadEndsWithAFence) {
  const Stmt rows =
      for_loop(i, 0, 2, written_out(last(store(y, op(Add, op(Mul, i, Expr(64)), v), load(x, v)))), LoopMode::Parallel);
  EXPECT_EQ(streamed(around(rows)),
            "parallel for (int64 i = 0; i < 2; i++) {\n"
            "  vector for (int64 v = 0; v < 64; v++) lanes(8) {\n"
            "    stream(size >= 100) y[i * 64 + v] = wide x[v];\n"
            "  }\n"
            "  teardown {\n"
            "    fence;\n"
            "  }\n"
            "}\n");
}

}  // namespace
}  // namespace lacuna::loop::vectors_test

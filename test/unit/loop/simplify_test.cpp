#include "unit/loop/harness.h"

namespace lacuna::loop::simplify_test {
namespace {

/// A function around which expressions and statements can be simplified: everything it declares is live.
class Simplify : public testing::Test {
 protected:
  const Var i{"i", int64_type}, n{"n", int64_type}, c{"c", int32_type}, x{"x", float64_type}, f{"f", bool_type};
  const Var g{"g", bool_type}, a{"a", array_type(Type::Int64)}, out{"out", array_type(Type::Float64)};
  const Var flags{"flags", array_type(Type::Bool)}, small{"small", array_type(Type::Int32)};

  Module around(std::vector<Stmt> body) const {
    return kernel({input(i), input(n), input(c), input(x), input(f), input(g), updated(a), updated(out), updated(flags),
                   updated(small)},
                  std::move(body));
  }
  std::string simple(const Expr& e) const {
    const Var& target = e.scalar() == Type::Bool    ? flags
                        : e.scalar() == Type::Int32 ? small
                        : e.scalar() == Type::Int64 ? a
                                                    : out;
    const Module module = around({store(target, 0, e)});
    verify(module);
    const Module done = loop::simplify(module);
    verify(done);
    return to_string(std::get<Store>(done.body->kind).value);
  }
  std::string simple(std::vector<Stmt> body) const {
    const Module module = around(std::move(body));
    verify(module);
    const Module done = loop::simplify(module);
    verify(done);
    return to_string(done.body);
  }
};

TEST_F(Simplify, DropsNeutralOperands) {
  EXPECT_EQ(simple(Expr(i) + 0), "i");
  EXPECT_EQ(simple(Expr(0) + i), "i");
  EXPECT_EQ(simple(Expr(i) - 0), "i");
  EXPECT_EQ(simple(Expr(i) * 1), "i");
  EXPECT_EQ(simple(Expr(1) * i), "i");
  EXPECT_EQ(simple(Expr(i) / 1), "i");
  EXPECT_EQ(simple(Expr(i) * 0), "0");
  EXPECT_EQ(simple(Expr(i) % 1), "0");
  EXPECT_EQ(simple((Expr(i) + 0) * (Expr(n) * 1)), "i * n");
}

TEST_F(Simplify, KeepsFloatArithmeticThatMayChangeAResult) {
  const auto value = [](BinaryOp op, const Expr& p, const Expr& q) { return value_op(op, p, q); };
  EXPECT_EQ(simple(value(BinaryOp::Add, x, 0.0)), "x + 0.0") << "-0.0 + 0.0 is 0.0";
  EXPECT_EQ(simple(value(BinaryOp::Mul, x, 0.0)), "x * 0.0") << "a NaN stays one";
  EXPECT_EQ(simple(value(BinaryOp::Sub, x, x)), "x - x");
  EXPECT_EQ(simple(eq(x, x)), "x == x");
  EXPECT_EQ(simple(!(Expr(x) < 1.0)), "!(x < 1.0)");
  EXPECT_EQ(simple(value(BinaryOp::Sub, value(BinaryOp::Add, x, 1.0), 1.0)), "x + 1.0 - 1.0");
}

TEST_F(Simplify, DropsFloatArithmeticThatIsExact) {
  EXPECT_EQ(simple(value_op(BinaryOp::Mul, x, 1.0)), "x");
  EXPECT_EQ(simple(value_op(BinaryOp::Sub, x, 0.0)), "x");
  EXPECT_EQ(simple(value_op(BinaryOp::Add, x, -0.0)), "x");
  EXPECT_EQ(simple(value_op(BinaryOp::Div, x, 1.0)), "x");
  EXPECT_EQ(simple(negate(negate(x))), "x");
}

TEST_F(Simplify, GathersConstantSummandsOfIndices) {
  EXPECT_EQ(simple(Expr(i) + 2 - 1), "i + 1");
  EXPECT_EQ(simple(Expr(i) - 1 + 1), "i");
  EXPECT_EQ(simple(Expr(i) + -3), "i - 3");
  EXPECT_EQ(simple(Expr(i) + n - i), "n");
  EXPECT_EQ(simple(Expr(i) - i), "0");
}

TEST_F(Simplify, FoldsConstants) {
  EXPECT_EQ(simple(Expr(2) * 3 + 4), "10");
  EXPECT_EQ(simple(min(Expr(2), 3)), "2");
  EXPECT_EQ(simple(Expr(2) < 3), "true");
  EXPECT_EQ(simple(convert(Expr(7), Type::Int32)), "7");
  EXPECT_EQ(simple(convert(Expr(7), Type::Float64)), "7.0");
  EXPECT_EQ(simple(Expr(1) / 0), "1 / 0") << "the interpreter is to report it";
  EXPECT_EQ(simple(constant(Type::Int32, 2147483647) + 1), "2147483647 + 1");
}

TEST_F(Simplify, ChoosesBetweenEqualThings) {
  EXPECT_EQ(simple(min(i, i)), "i");
  EXPECT_EQ(simple(max(load(a, 1), load(a, 1))), "a[1]");
  EXPECT_EQ(simple(select(f, i, i)), "i");
  EXPECT_EQ(simple(select(Expr(2) < 3, i, n)), "i");
  EXPECT_EQ(simple(select(!Expr(f), i, n)), "f ? n : i");
  EXPECT_EQ(simple(select(f, true, false)), "f");
}

TEST_F(Simplify, KeepsHowAnArrayIsSearched) {
  const Expr near = lower_bound_near(a, Expr(i) + 0, n, 3), far = lower_bound(a, Expr(i) + 0, n, 3);
  EXPECT_EQ(simple(near), "lower_bound_near(a, i, n, 3)");
  EXPECT_EQ(simple(max(near, near)), "lower_bound_near(a, i, n, 3)");
  EXPECT_EQ(simple(max(near, far)), "max(lower_bound_near(a, i, n, 3), lower_bound(a, i, n, 3))");
}

TEST_F(Simplify, Conditions) {
  EXPECT_EQ(simple(!(Expr(i) < n)), "i >= n");
  EXPECT_EQ(simple(!!Expr(f)), "f");
  EXPECT_EQ(simple(!eq(x, 1.0)), "x != 1.0");
  EXPECT_EQ(simple(eq(i, i)), "true");
  EXPECT_EQ(simple(Expr(i) < i), "false");
  EXPECT_EQ(simple(Expr(f) && (Expr(2) < 3)), "f");
  EXPECT_EQ(simple(Expr(f) && f), "f");
  EXPECT_EQ(simple(Expr(f) || (Expr(2) < 3)), "true");
  EXPECT_EQ(simple(eq(f, true)), "f");
  EXPECT_EQ(simple(ne(f, true)), "!f");
}

TEST_F(Simplify, ConversionsThatUndoEachOther) {
  EXPECT_EQ(simple(convert(convert(c, Type::Int64), Type::Int32)), "c");
  EXPECT_EQ(simple(convert(convert(i, Type::Int32), Type::Int64)), "int64(int32(i))");
  EXPECT_EQ(simple(convert(convert(c, Type::Float64), Type::Int32)), "c");
  EXPECT_EQ(simple(convert(convert(c, Type::Float32), Type::Int32)), "int32(float32(c))");
}

TEST_F(Simplify, RemovesDeadBranchesAndLoops) {
  const Stmt work = store(out, i, x);
  const Var j("j", int64_type);
  EXPECT_EQ(simple({if_then(eq(i, i), work, store(out, n, x))}), "out[i] = x;\n");
  EXPECT_EQ(simple({if_then(f, comment("nothing")), work}), "out[i] = x;\n");
  EXPECT_EQ(simple({if_then(f, block({}), work)}), "if (!f) {\n  out[i] = x;\n}\n");
  EXPECT_EQ(simple({if_then(!Expr(f), work, store(out, n, x))}),
            "if (f) {\n  out[n] = x;\n} else {\n  out[i] = x;\n}\n");
  EXPECT_EQ(simple({for_loop(j, 3, 3, work)}), "");
  EXPECT_EQ(simple({for_loop(j, i, i, work)}), "");
  EXPECT_EQ(simple({for_loop(j, 0, n, comment("nothing"))}), "");
  EXPECT_EQ(simple({while_loop(Expr(i) < i, work)}), "");
}

TEST_F(Simplify, KnowsAConditionInItsBranches) {
  const Stmt change = store(out, 0, 1.0);
  EXPECT_EQ(simple({if_then(f, block({store(out, 1, 2.0), if_then(f, change)}))}),
            "if (f) {\n  out[1] = 2.0;\n  out[0] = 1.0;\n}\n");
  EXPECT_EQ(simple({if_then(f, store(out, 1, 2.0), if_then(f, change))}), "if (f) {\n  out[1] = 2.0;\n}\n");
  EXPECT_EQ(simple({if_then(f, if_then(Expr(f) && g, change))}), "if (f) {\n  if (g) {\n    out[0] = 1.0;\n  }\n}\n");
}

TEST_F(Simplify, AsksBeforeALoopWhatTheLoopDoesNotChange) {
  const Var k("k", int64_type), h("h", bool_type);
  EXPECT_EQ(simple({for_loop(k, 0, n, if_then(f, store(out, k, 1.0)))}),
            "if (f) {\n  for (int64 k = 0; k < n; k++) {\n    out[k] = 1.0;\n  }\n}\n");
  const std::string kept =
      simple({declare(h, load(flags, 0)), for_loop(k, 0, n, if_then(h, assign(h, load(flags, k))))});
  EXPECT_EQ(kept.find("if (h) {\n  for"), std::string::npos) << kept;
}

TEST_F(Simplify, ForgetsAConditionThatItsBranchChanges) {
  const Var h("h", bool_type);
  const std::string kept = simple(
      {declare(h, load(flags, 0)), if_then(h, block({assign(h, load(flags, 1)), if_then(h, store(out, 0, 1.0))}))});
  EXPECT_NE(kept.find("if (h) {\n  h = flags[1];\n  if (h)"), std::string::npos) << kept;
}

TEST_F(Simplify, KeepsHowALoopIsToRun) {
  const Var j("j", int64_type);
  EXPECT_EQ(simple({for_loop(j, 0, Expr(n) + 0, store(out, j, x), {.unroll = 4})}),
            "for (int64 j = 0; j < n; j++) unroll(4) {\n  out[j] = x;\n}\n");
  EXPECT_EQ(simple({for_loop(j, 0, Expr(n) + 0, store(out, j, x), {.mode = LoopMode::Parallel, .grain = 4})}),
            "parallel for (int64 j = 0; j < n; j++) grain(4) {\n  out[j] = x;\n}\n");
}

TEST_F(Simplify, DropsWhatFollowsABreak) {
  EXPECT_EQ(simple({while_loop(f, block({break_loop(), store(out, i, x)}))}), "while (f) {\n  break;\n}\n");
}

TEST_F(Simplify, ReplacesCopiesOfVariablesAndConstants) {
  const Var p("p", int64_type), q("q", int64_type), r("r", int64_type);
  EXPECT_EQ(simple({declare(p, i), declare(q, p), declare(r, 2), store(out, Expr(q) + r, x)}), "out[i + 2] = x;\n");
}

TEST_F(Simplify, KeepsCopiesOfWhatChanges) {
  const Var p("p", int64_type), q("q", int64_type);
  const std::string text = simple({declare(p, n), declare(q, p), assign(p, Expr(p) + 1), store(a, p, q)});
  EXPECT_EQ(text, "int64 p = n;\nint64 q = p;\np++;\na[p] = q;\n");
}

TEST_F(Simplify, RemovesVariablesThatNothingReads) {
  const Var p("p", int64_type), q("q", int64_type), w("w", array_type(Type::Int64));
  EXPECT_EQ(simple({declare(p, load(a, 0)), declare(q, Expr(p) + 1), assign(q, Expr(q) + 1), declare_array(w),
                    allocate(w, n, true), release(w), store(out, i, x)}),
            "out[i] = x;\n");
}

TEST_F(Simplify, KeepsCallsWhoseValueNothingReads) {
  const Var p("p", int64_type), k("k", int64_type);
  Module module = around({declare(p, invoke("next", {1}, int64_type))});
  module.functions.push_back({"next", {k}, int64_type, return_value(Expr(k) + 0)});
  const Module done = loop::simplify(module);
  EXPECT_EQ(to_string(done.body), "int64 p = next(1);\n");
  EXPECT_EQ(to_string(done.functions[0].body), "return k;\n");
}

TEST_F(Simplify, KeepsABranchWhoseVariablesAreDeclaredElsewhereToo) {
  const Var p("p", int64_type);
  const Stmt branch = block({declare(p, load(a, 0)), store(a, 1, p)});
  EXPECT_NO_THROW(simple({if_then(eq(i, i), branch), if_then(f, branch), if_then(eq(n, n), branch)}));
}

TEST_F(Simplify, LeavesSimpleProgramsAsTheyAre) {
  const Module module = around({for_loop(Var("j", int64_type), 0, n, store(out, i, x)), while_loop(f, block({}))});
  EXPECT_EQ(loop::simplify(module).body, module.body) << "the very same nodes";
}

}  // namespace
}  // namespace lacuna::loop::simplify_test

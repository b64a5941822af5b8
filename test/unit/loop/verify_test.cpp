#include "unit/loop/harness.h"

namespace lacuna::loop::verify_test {
namespace {

using testing::HasSubstr;

class Verify : public testing::Test {
 protected:
  const Var i{"i", int64_type}, j{"j", int64_type}, n{"n", int64_type};
  const Var a{"a", array_type(Type::Int64)}, b{"b", array_type(Type::Int64)};

  static std::string refusal(const Module& module) {
    try {
      verify(module);
    } catch (const InternalError& error) {
      return error.what();
    }
    return "(accepted)";
  }
  /// With an input n, an input a and an updated b.
  std::string refusal(std::vector<Stmt> body) const {
    return refusal(kernel({input(n), input(a), updated(b)}, std::move(body)));
  }
};

TEST_F(Verify, AcceptsWhatIsWellFormed) {
  EXPECT_EQ(
      refusal({for_loop(i, 0, n, store(b, i, load(a, i))), for_loop(i, 0, n, block({declare(j, i), store(b, j, 0)})),
               if_then(Expr(n) > 1, block({declare(j, n), store(b, 0, j)}))}),
      "(accepted)")
      << "a variable may be declared again where it is out of scope";
}

TEST_F(Verify, RefusesToReplaceLocalArrays) {
  const Var c{"c", array_type(Type::Int64)};
  EXPECT_EQ(refusal({declare_local(c, 4), store(c, 0, 1)}), "(accepted)");
  EXPECT_THAT(refusal({declare_local(c, 4), resize(c, 8)}), HasSubstr("the memory of c is changed"));
  EXPECT_THAT(refusal({declare_local(c, 4), release(c)}), HasSubstr("the memory of c is changed"));
}

TEST_F(Verify, RefusesUsesOutsideOfTheScope) {
  EXPECT_THAT(refusal({store(b, i, 0)}), HasSubstr("i is used where it is not declared"));
  EXPECT_THAT(refusal({for_loop(i, 0, n, comment("")), store(b, i, 0)}), HasSubstr("i is used where"));
  EXPECT_THAT(refusal({if_then(Expr(n) > 1, declare(j, 1)), store(b, j, 0)}), HasSubstr("j is used where"));
  EXPECT_THAT(refusal({store(b, 0, j), declare(j, 1)}), HasSubstr("j is used where"));
}

TEST_F(Verify, RefusesNamesThatClash) {
  EXPECT_THAT(refusal({declare(j, 1), declare(j, 2)}), HasSubstr("j is declared twice"));
  EXPECT_THAT(refusal({declare(j, 1), declare(Var("j", int64_type), 2)}), HasSubstr("two variables are called j"));
  EXPECT_THAT(refusal({for_loop(n, 0, 1, comment(""))}), HasSubstr("n is declared twice"));
  EXPECT_THAT(refusal({declare(Var("kernel", int64_type), 2)}), HasSubstr("the name kernel of a variable is taken"));
  EXPECT_THAT(refusal({declare(Var("a b", int64_type), 2)}), HasSubstr("`a b` is no identifier"));
  Module module = kernel({input(n)}, {});
  module.arguments = {"n"};
  EXPECT_THAT(refusal(module), HasSubstr("the name n of a variable is taken"));
  module.arguments = {"A", "A"};
  EXPECT_THAT(refusal(module), HasSubstr("the name A is used twice"));
}

TEST_F(Verify, RefusesTypesThatDisagree) {
  const auto wrong = std::make_shared<const ExprNode>(ExprNode{VarUse{n}, scalar_type(Type::Float64)});
  EXPECT_THAT(refusal({declare(Var("x", scalar_type(Type::Float64)), Expr(wrong))}),
              HasSubstr("does not have the type that its operands give it"));
  const auto narrow = std::make_shared<const StmtNode>(StmtNode{Assign{n, constant(Type::Int32, 1)}});
  EXPECT_THAT(refusal(kernel({output(n)}, {narrow})), HasSubstr("`1` has another type than its place"));
}

TEST_F(Verify, RefusesBreaksThatLeaveNoLoopOrAParallelOne) {
  EXPECT_THAT(refusal({break_loop()}), HasSubstr("a break outside of a loop"));
  EXPECT_THAT(refusal({for_loop(i, 0, n, break_loop(), LoopMode::Parallel)}),
              HasSubstr("a parallel loop is left by break"));
  EXPECT_EQ(refusal({for_loop(i, 0, n, while_loop(true, break_loop()), LoopMode::Parallel)}), "(accepted)");
}

TEST_F(Verify, RefusesChangesOfInputs) {
  EXPECT_THAT(refusal({store(a, 0, 1)}),
              HasSubstr("elements of a are changed, but the parameter is not marked written"));
  EXPECT_THAT(refusal({sort(a, 0, 1)}), HasSubstr("elements of a are changed"));
  EXPECT_THAT(refusal({assign(n, 1)}), HasSubstr("n is assigned, but is an input or the variable of a loop"));
  EXPECT_THAT(refusal({for_loop(i, 0, n, assign(i, 1))}), HasSubstr("i is assigned"));
  EXPECT_THAT(refusal({resize(b, 1)}), HasSubstr("the memory of b is changed"));
}

TEST_F(Verify, RefusesChangesOfInputsThroughFunctions) {
  const Var c("c", array_type(Type::Int64)), d("d", array_type(Type::Int64));
  const auto calling = [&](const Var& argument) {
    Module module = kernel({input(a), updated(b)}, {evaluate(invoke("outer", {argument}, IrType{}))});
    module.functions = {{"inner", {c}, IrType{}, store(c, 0, 1)},
                        {"outer", {d}, IrType{}, evaluate(invoke("inner", {d}, IrType{}))}};
    return refusal(module);
  };
  EXPECT_EQ(calling(b), "(accepted)");
  EXPECT_THAT(calling(a), HasSubstr("elements of a are changed"));
}

TEST_F(Verify, RefusesCallsThatMatchNoFunction) {
  EXPECT_THAT(refusal({evaluate(invoke("f", {}, IrType{}))}), HasSubstr("there is no function f"));
  Module module = kernel({input(n)}, {evaluate(invoke("f", {n, n}, int64_type))});
  module.functions = {{"f", {i}, int64_type, return_value(i)}};
  EXPECT_THAT(refusal(module), HasSubstr("f takes 1 arguments and is called with 2"));
  module.body = evaluate(invoke("f", {1.0}, int64_type));
  EXPECT_THAT(refusal(module), HasSubstr("argument 1 of a call of f has another type"));
  module.body = evaluate(invoke("f", {n}, float64_type));
  EXPECT_THAT(refusal(module), HasSubstr("f does not return what a call of it expects"));
}

TEST_F(Verify, RefusesFunctionsThatMayNotReturn) {
  const auto with_body = [&](const Stmt& body) {
    Module module = kernel({}, {});
    module.functions = {{"f", {i}, int64_type, body}};
    return refusal(module);
  };
  EXPECT_THAT(with_body(if_then(Expr(i) > 0, return_value(i))), HasSubstr("f may end without returning a value"));
  EXPECT_EQ(with_body(if_then(Expr(i) > 0, return_value(i), return_value(0))), "(accepted)");
  EXPECT_EQ(with_body(while_loop(true, if_then(Expr(i) > 0, return_value(i)))), "(accepted)");
  EXPECT_THAT(with_body(while_loop(true, if_then(Expr(i) > 0, break_loop()))), HasSubstr("f may end without"));
  EXPECT_THAT(with_body(return_value(1.0)), HasSubstr("f returns another type than it declares"));
  EXPECT_THAT(refusal({return_void()}), HasSubstr("the kernel returns early"));
}

TEST_F(Verify, RefusesWhatParallelIterationsWouldAllChange) {
  const auto loop = [&](const Stmt& body, std::vector<Reduction> reductions) {
    return refusal({declare(j, 0), for_loop(i, 0, n, body, LoopMode::Parallel, std::move(reductions)), store(b, 0, j)});
  };
  const Stmt body = assign(j, Expr(j) + i);
  EXPECT_THAT(loop(body, {}), HasSubstr("iterations of the parallel loop over i all change j"));
  EXPECT_EQ(loop(body, {{j, StoreOp::Add}}), "(accepted)");
  EXPECT_THAT(refusal({declare(j, 0), for_loop(i, 0, n, body, LoopMode::Serial, {{j, StoreOp::Add}})}),
              HasSubstr("the loop over i reduces and is serial"));
}

TEST_F(Verify, RefusesHintsThatALoopCannotFollow) {
  const auto hinted = [&](LoopMode mode, int unroll, std::int64_t grain) {
    For loop = std::get<For>(for_loop(i, 0, n, store(b, i, 0))->kind);
    loop.mode = mode;
    loop.unroll = unroll;
    loop.grain = grain;
    return refusal({std::make_shared<const StmtNode>(StmtNode{loop})});
  };
  EXPECT_EQ(hinted(LoopMode::Serial, 4, 0), "(accepted)");
  EXPECT_EQ(hinted(LoopMode::Parallel, 0, 4), "(accepted)");
  EXPECT_THAT(hinted(LoopMode::Serial, -1, 0), HasSubstr("the loop over i is unrolled -1 times"));
  EXPECT_THAT(hinted(LoopMode::Serial, 65535, 0), HasSubstr("the loop over i is unrolled 65535 times"));
  EXPECT_THAT(hinted(LoopMode::Vector, 2, 0), HasSubstr("the loop over i is unrolled and is not serial"));
  EXPECT_THAT(hinted(LoopMode::Serial, 0, 4), HasSubstr("the loop over i has a grain and is not parallel"));
  EXPECT_THAT(hinted(LoopMode::Parallel, 0, -1), HasSubstr("the grain of the loop over i is -1"));
}

TEST_F(Verify, RefusesArraysAsValuesAndRecordsThatTheModuleLacks) {
  const auto node = std::make_shared<const Record>(Record{"node", {{"v", float64_type, 0}}});
  EXPECT_THAT(refusal(kernel({input(Var("nodes", arena_type(node)))}, {})),
              HasSubstr("the record node is not among the module's"));
  Module module = kernel({updated(b)}, {});
  module.functions = {{"f", {}, array_type(Type::Int64), return_value(1)}};
  EXPECT_THAT(refusal(module), HasSubstr("f returns another type"));
}

}  // namespace
}  // namespace lacuna::loop::verify_test

#include "lacuna/loop/walk.h"
#include "unit/loop/harness.h"

// The pass that docs/explanation/adding-a-pass.md adds. The document shows pieces of this file.
namespace lacuna::loop::example_pass_test {
namespace {

/// An `if` whose branch is only another `if` tests both conditions at once. The second one is evaluated only where the
/// first one holds, as before.
///   if (a) { if (b) { s } }  ->  if (a && b) { s }
class JoinedConditions final : public Rewriter {
  Stmt rebuilt(Stmt stmt) override {
    const auto* outer = std::get_if<If>(&stmt->kind);
    if (outer == nullptr || outer->else_branch) return stmt;
    const auto* inner = std::get_if<If>(&outer->then_branch->kind);
    if (inner == nullptr || inner->else_branch) return stmt;
    return if_then(outer->condition && inner->condition, inner->then_branch);
  }
};

Module join_conditions(const Module& module) {
  Module changed = module;
  JoinedConditions pass;
  changed.body = pass.rewrite(changed.body);
  for (Function& each : changed.functions) each.body = pass.rewrite(each.body);
  return changed;
}

struct ExamplePass : testing::Test {
  Var i{"i", int64_type}, n{"n", int64_type};
  Var x{"x", array_type(Type::Float64)}, y{"y", array_type(Type::Float64)};

  Expr is_inside() const { return i < n; }
  Expr is_positive() const { return load(x, i) > Expr(0.0); }
  Stmt copies() const { return store(y, i, load(x, i)); }
  /// A loop over more iterations than x has elements.
  Module around(Stmt body) const {
    return kernel({input(n), input(x), updated(y)}, {for_loop(i, 0, 6, std::move(body))});
  }

  static std::vector<double> result(const Module& module) {
    const std::vector<double> in{3, -1, 0, 5};
    std::vector<double> out(6, 9);
    run(module, {bound(Scalar(std::int64_t{4})), bound(in), bound(out)});
    return out;
  }
};

TEST_F(ExamplePass, JoinsTheConditionsOfNestedIfs) {
  const Module before = around(if_then(is_inside(), if_then(is_positive(), copies())));
  const Module after = join_conditions(before);
  EXPECT_EQ(to_string(after.body),
            "for (int64 i = 0; i < 6; i++) {\n"
            "  if (i < n && x[i] > 0.0) {\n"
            "    y[i] = x[i];\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(result(after), result(before));
  EXPECT_EQ(result(after), (std::vector<double>{3, 9, 9, 5, 9, 9}));
}

TEST_F(ExamplePass, JoinsThreeAsWellAsTwo) {
  const Stmt inner = if_then(is_positive(), copies());
  const Module before = around(if_then(is_inside(), if_then(i < Expr(3), inner)));
  const Module after = join_conditions(before);
  EXPECT_THAT(to_string(after.body), testing::HasSubstr("if (i < n && (i < 3 && x[i] > 0.0)) {"));
  EXPECT_EQ(result(after), result(before));
}

TEST_F(ExamplePass, LeavesAloneWhatDoesMore) {
  const Stmt inner = if_then(is_positive(), copies());
  for (const Stmt& body : {if_then(is_inside(), inner, store(y, i, 1.0)),
                           if_then(is_inside(), if_then(is_positive(), copies(), store(y, i, 1.0))),
                           if_then(is_inside(), block({store(y, i, 1.0), inner}))}) {
    const Module before = around(body);
    EXPECT_EQ(join_conditions(before).body, before.body) << to_string(body);
  }
}

TEST_F(ExamplePass, InAnotherOrderWouldReadPastTheEnd) {
  const Module wrong = around(if_then(is_positive() && is_inside(), copies()));
  const std::vector<double> in{3, -1, 0, 5};
  std::vector<double> out(6, 9);
  EXPECT_THAT(failure(wrong, {bound(Scalar(std::int64_t{4})), bound(in), bound(out)}),
              testing::HasSubstr("index 4 is outside x"));
}

}  // namespace
}  // namespace lacuna::loop::example_pass_test

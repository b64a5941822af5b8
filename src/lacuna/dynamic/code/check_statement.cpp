#include <algorithm>

#include <fmt/core.h>

#include "lacuna/dynamic/code/check_types.h"
#include "lacuna/dynamic/code/walk.h"

namespace lacuna::schema {
namespace {

using Kind = CodeType::Kind;

class StatementChecker {
 public:
  StatementChecker(const CodeFunction& function, CodeScope& scope) : function_(function), scope_(scope) {}

  void check(CodeBlock& block) {
    scope_.open();
    for (CodeStmt& statement : block) {
      where_ = statement.where;
      std::visit(*this, statement.kind);
    }
    scope_.close();
  }

  void operator()(LetStmt& let) {
    check_expression(let.value, scope_);
    let.type = let.type_name ? scope_.resolve(*let.type_name) : let.value.type;
    if (let.value.type.kind == Kind::Void) {
      fail_at(scope_.source, let.value.where, "what is called here returns nothing; take out 'let {} ='",
              let.name.text);
    }
    if (let.type.kind == Kind::Null) {
      fail_at(scope_.source, let.value.where, "of which type is {}? write let {} : NODE = null", let.name.text,
              let.name.text);
    }
    if (let.type.kind == Kind::Elements)
      fail_at(scope_.source, let.name.where, "only parameters are sequences of elements");
    require_fits(let.value, let.type, fmt::format("the variable {}", let.name.text), scope_);
    scope_.declare(let.name, let.type);
  }

  void operator()(AssignStmt& assignment) {
    check_target(assignment.target, scope_);
    check_expression(assignment.value, scope_);
    require_fits(assignment.value, assignment.target.type, "what is assigned to", scope_);
    if (assignment.op != AssignOp::Set && !assignment.target.type.is_number()) {
      fail_at(scope_.source, assignment.target.where, "+= and -= are for integers, and this is {}",
              describe(assignment.target.type));
    }
  }

  void operator()(IfStmt& branches) {
    enter(branches.condition, branches.then_branch);
    check(branches.else_branch);
  }

  void operator()(WhileStmt& loop) {
    ++loops_;
    enter(loop.condition, loop.body);
    --loops_;
  }

  void operator()(ReturnStmt& result) {
    if (result.value) check_expression(*result.value, scope_);
    const bool is_void = function_.result.kind == Kind::Void;
    if (is_void && result.value) {
      fail_at(scope_.source, result.value->where, "{} returns nothing; leave out the value, or declare -> {}",
              function_.name.text, describe(result.value->type));
    }
    if (is_void) return;
    if (!result.value)
      fail_at(scope_.source, where_, "{} returns {}; say which", function_.name.text, describe(function_.result));
    require_fits(*result.value, function_.result, fmt::format("what {} returns", function_.name.text), scope_);
  }

  void operator()(BreakStmt&) {
    if (loops_ == 0) fail_at(scope_.source, where_, "break leaves a loop, and there is none around it");
  }

  void operator()(DeleteStmt& removal) {
    check_expression(removal.node, scope_);
    if (removal.node.type.kind == Kind::Node) return;
    fail_at(scope_.source, removal.node.where, "delete gives back a node, and this is {}{}",
            describe(removal.node.type),
            removal.node.type.kind == Kind::Supertype ? "; ask first which: if (… is NODE x)" : "");
  }

  void operator()(CallStmt& call) {
    check_expression(call.call, scope_);
    if (std::get<CallExpr>(call.call.kind).builtin == Builtin::None) return;
    fail_at(scope_.source, call.call.where, "{} only computes something; use what it returns",
            std::get<CallExpr>(call.call.kind).function.text);
  }

 private:
  void enter(Condition& condition, CodeBlock& block) {
    check_expression(condition.expr, scope_);
    if (condition.expr.type.kind != Kind::Bool) {
      fail_at(scope_.source, condition.expr.where, "a condition is bool, and this is {}{}",
              describe(condition.expr.type), condition.expr.type.is_reference() ? "; write != null" : "");
    }
    scope_.open();
    if (condition.binding) {
      scope_.declare(*condition.binding, {Kind::Node, std::get<IsNode>(condition.expr.kind).node.text});
    }
    check(block);
    scope_.close();
  }

  const CodeFunction& function_;
  CodeScope& scope_;
  Place where_;
  int loops_ = 0;
};

bool always_returns(const CodeBlock& block);

bool always_returns(const CodeStmt& statement) {
  if (std::holds_alternative<ReturnStmt>(statement.kind)) return true;
  if (const auto* branches = std::get_if<IfStmt>(&statement.kind)) {
    return always_returns(branches->then_branch) && always_returns(branches->else_branch);
  }
  const auto* loop = std::get_if<WhileStmt>(&statement.kind);
  if (loop == nullptr) return false;
  const auto* forever = std::get_if<BoolLiteral>(&loop->condition.expr.kind);
  if (forever == nullptr || !forever->value) return false;
  bool breaks = false;
  for_each(loop->body, [&](const CodeStmt& each) { breaks = breaks || std::holds_alternative<BreakStmt>(each.kind); });
  return !breaks;
}

bool always_returns(const CodeBlock& block) {
  return std::any_of(block.begin(), block.end(), [](const CodeStmt& each) { return always_returns(each); });
}

}  // namespace

void check_body(CodeFunction& function, CodeScope& scope) {
  scope.open();
  for (const Variable& each : function.parameters) scope.declare(each.name, each.type);
  StatementChecker(function, scope).check(function.body);
  scope.close();
  if (function.result.kind != Kind::Void && !always_returns(function.body)) {
    fail_at(scope.source, function.name.where, "{} may end without returning {}; put a return at its end",
            function.name.text, describe(function.result));
  }
}

}  // namespace lacuna::schema

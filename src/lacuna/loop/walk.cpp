#include "lacuna/loop/walk.h"

#include <algorithm>

namespace lacuna::loop {
namespace {

void append(std::vector<Expr>& list, const Expr& e) {
  if (e.defined()) list.push_back(e);
}

void append_element(std::vector<Expr>& list, const Expr& index, const std::optional<Member>& member) {
  append(list, index);
  if (member) append(list, member->sub);
}

struct Children {
  std::vector<Expr> list;
  void operator()(const Constant&) {}
  void operator()(const VarUse&) {}
  void operator()(const Unary& node) { list = {node.operand}; }
  void operator()(const Binary& node) { list = {node.left, node.right}; }
  void operator()(const Select& node) { list = {node.condition, node.if_true, node.if_false}; }
  void operator()(const Convert& node) { list = {node.operand}; }
  void operator()(const Math& node) { list = node.arguments; }
  void operator()(const Load& node) { append_element(list, node.index, node.member); }
  void operator()(const Invoke& node) { list = node.arguments; }
  void operator()(const LowerBound& node) { list = {node.low, node.high, node.key}; }
  void operator()(const Dot& node) {
    list = {node.left.first, node.left.stride, node.right.first, node.right.stride, node.count};
  }
};

struct Expressions {
  std::vector<Expr> list;
  void operator()(const Declare& node) { append(list, node.init); }
  void operator()(const Assign& node) { append(list, node.value); }
  void operator()(const Store& node) {
    append_element(list, node.index, node.member);
    append(list, node.value);
    append(list, node.past_caches);
  }
  void operator()(const If& node) { append(list, node.condition); }
  void operator()(const For& node) {
    list = {node.low, node.high};
    for (const OwnSum& each : node.sums) list.push_back(each.count);
  }
  void operator()(const While& node) { append(list, node.condition); }
  void operator()(const Block&) {}
  void operator()(const Comment&) {}
  void operator()(const Allocate& node) { append(list, node.count); }
  void operator()(const Resize& node) { append(list, node.count); }
  void operator()(const Release&) {}
  void operator()(const Keep& node) { append(list, node.index); }
  void operator()(const Take& node) { append(list, node.index); }
  void operator()(const Sort& node) {
    list = {node.low, node.high};
    if (node.marks) list.push_back(node.places);
  }
  void operator()(const Fill& node) { list = {node.low, node.high, node.value}; }
  void operator()(const MatrixProduct& node) {
    for (const Matrix& m : matrices(node)) list.insert(list.end(), {m.first, m.stride});
    list.insert(list.end(), {node.rows, node.columns, node.inner});
    append(list, node.scalar);
  }
  void operator()(const Prefetch& node) { append(list, node.index); }
  void operator()(const Fence&) {}
  void operator()(const Launch& node) { append(list, node.blocks); }
  void operator()(const ReadBack& node) { append(list, node.index); }
  void operator()(const Exchange&) {}
  void operator()(const Barrier&) {}
  void operator()(const Evaluate& node) { append(list, node.call); }
  void operator()(const Return& node) { append(list, node.value); }
  void operator()(const Break&) {}
};

bool same_member(const std::optional<Member>& a, const std::optional<Member>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || a->field == b->field;  // the indices are compared as children
}

/// Whether two nodes of one kind agree in all but their children.
struct SameHead {
  bool operator()(const Constant& a, const Constant& b) const {
    // -0.0 equals 0.0 as a value, but not as a constant; a NaN equals itself.
    return a.value == b.value && a.value.to_string() == b.value.to_string();
  }
  bool operator()(const VarUse& a, const VarUse& b) const { return a.var == b.var; }
  bool operator()(const Unary& a, const Unary& b) const { return a.op == b.op; }
  bool operator()(const Binary& a, const Binary& b) const { return a.op == b.op && a.wraps == b.wraps; }
  bool operator()(const Select&, const Select&) const { return true; }
  bool operator()(const Convert&, const Convert&) const { return true; }
  bool operator()(const Math& a, const Math& b) const { return a.function == b.function; }
  bool operator()(const Load& a, const Load& b) const {
    return a.array == b.array && same_member(a.member, b.member) && a.wide == b.wide;
  }
  bool operator()(const Invoke& a, const Invoke& b) const { return a.function == b.function; }
  bool operator()(const LowerBound& a, const LowerBound& b) const { return a.array == b.array && a.near == b.near; }
  bool operator()(const Dot& a, const Dot& b) const {
    return a.left.array == b.left.array && a.right.array == b.right.array;
  }
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

bool may_fail(const Binary& node) {
  const Type type = node.left.type().scalar;
  if (!is_integer(type)) return false;
  switch (node.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul: return false;  // an overflow that nobody looks at is no loss
    case BinaryOp::Div:
    case BinaryOp::Mod: return !node.wraps;
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return true;
    default: return false;
  }
}

}  // namespace

std::vector<Matrix> matrices(const MatrixProduct& product) {
  std::vector<Matrix> all{product.target, product.left};
  if (product.right) all.push_back(*product.right);
  return all;
}

std::vector<Expr> children(const Expr& expr) {
  Children visitor;
  std::visit(visitor, expr.node().kind);
  return std::move(visitor.list);
}

std::vector<Expr> expressions(const Stmt& stmt) {
  Expressions visitor;
  if (stmt) std::visit(visitor, stmt->kind);
  return std::move(visitor.list);
}

std::vector<Stmt> statements(const Stmt& stmt) {
  std::vector<Stmt> inside;
  if (const auto* branch = std::get_if<If>(&stmt->kind)) inside = {branch->then_branch, branch->else_branch};
  if (const auto* loop = std::get_if<For>(&stmt->kind)) inside = {loop->setup, loop->body, loop->teardown};
  if (const auto* loop = std::get_if<While>(&stmt->kind)) inside = {loop->body};
  if (const auto* block = std::get_if<Block>(&stmt->kind)) inside = block->statements;
  if (const auto* launch = std::get_if<Launch>(&stmt->kind)) inside = {launch->body};
  inside.erase(std::remove(inside.begin(), inside.end(), nullptr), inside.end());
  return inside;
}

void for_each(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for (const Expr& child : children(expr)) for_each(child, visit);
}

void for_each(const Stmt& stmt, const std::function<void(const Stmt&)>& visit) {
  if (!stmt) return;
  visit(stmt);
  for (const Stmt& inner : statements(stmt)) for_each(inner, visit);
}

void for_each_expression(const Stmt& stmt, const std::function<void(const Expr&)>& visit) {
  for_each(stmt, [&](const Stmt& each) {
    for (const Expr& e : expressions(each)) for_each(e, visit);
  });
}

bool same(const Expr& a, const Expr& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  if (&a.node() == &b.node()) return true;
  if (a.type() != b.type() || !std::visit(SameHead{}, a.node().kind, b.node().kind)) return false;
  const std::vector<Expr> left = children(a);
  const std::vector<Expr> right = children(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

bool is_pure(const Expr& expr) {
  bool pure = true;
  for_each(expr, [&](const Expr& e) {
    const auto& kind = e.node().kind;
    if (std::holds_alternative<Invoke>(kind) || std::holds_alternative<Load>(kind) ||
        std::holds_alternative<LowerBound>(kind) || std::holds_alternative<Dot>(kind)) {
      pure = false;
    }
    if (const auto* binary = std::get_if<Binary>(&kind); binary && may_fail(*binary)) pure = false;
  });
  return pure;
}

}  // namespace lacuna::loop

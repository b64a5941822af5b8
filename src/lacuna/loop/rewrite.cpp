#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

bool identical(const Expr& a, const Expr& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return &a.node() == &b.node();
}

/// The node with its operands replaced, in the order of `children`. Nodes are copied first: what is no operand stays.
struct WithOperands {
  const std::vector<Expr>& operands;

  auto operator()(Constant node) const { return node; }
  auto operator()(VarUse node) const { return node; }
  auto operator()(Unary node) const {
    node.operand = operands[0];
    return node;
  }
  auto operator()(Binary node) const {
    node.left = operands[0];
    node.right = operands[1];
    return node;
  }
  auto operator()(Select node) const {
    node.condition = operands[0];
    node.if_true = operands[1];
    node.if_false = operands[2];
    return node;
  }
  auto operator()(Convert node) const {
    node.operand = operands[0];
    return node;
  }
  auto operator()(Math node) const {
    node.arguments = operands;
    return node;
  }
  auto operator()(Load node) const {
    node.index = operands[0];
    if (node.member && node.member->sub.defined()) node.member->sub = operands[1];
    return node;
  }
  auto operator()(Invoke node) const {
    node.arguments = operands;
    return node;
  }
  auto operator()(LowerBound node) const {
    node.low = operands[0];
    node.high = operands[1];
    node.key = operands[2];
    return node;
  }
  auto operator()(Dot node) const {
    node.left.first = operands[0];
    node.left.stride = operands[1];
    node.right.first = operands[2];
    node.right.stride = operands[3];
    node.count = operands[4];
    return node;
  }
};

/// Rewrites what a statement holds; `changed` says whether anything came back different.
class Parts {
 public:
  explicit Parts(Rewriter& rewriter) : rewriter_(rewriter) {}
  bool changed() const { return changed_; }

  Expr operator()(const Expr& old) {
    if (!old.defined()) return old;
    Expr now = rewriter_.rewrite(old);
    changed_ = changed_ || !identical(old, now);
    return now;
  }
  Stmt operator()(const Stmt& old) {
    Stmt now = rewriter_.rewrite(old);
    changed_ = changed_ || now != old;
    return now;
  }
  std::optional<Member> operator()(const std::optional<Member>& old) {
    if (!old) return old;
    return Member{old->field, (*this)(old->sub)};
  }

 private:
  Rewriter& rewriter_;
  bool changed_ = false;
};

/// The statement with its parts replaced, in the order of evaluation. Statements are copied first: what is no part
/// stays.
struct WithParts {
  Parts& parts;

  void rewrite(Declare& node) { node.init = parts(node.init); }
  void rewrite(Assign& node) { node.value = parts(node.value); }
  void rewrite(Store& node) {
    node.index = parts(node.index);
    node.member = parts(node.member);
    node.value = parts(node.value);
    node.past_caches = parts(node.past_caches);
  }
  void rewrite(If& node) {
    node.condition = parts(node.condition);
    node.then_branch = parts(node.then_branch);
    node.else_branch = parts(node.else_branch);
  }
  void rewrite(For& node) {
    node.low = parts(node.low);
    node.high = parts(node.high);
    for (OwnSum& each : node.sums) each.count = parts(each.count);
    node.setup = parts(node.setup);
    node.body = parts(node.body);
    node.teardown = parts(node.teardown);
  }
  void rewrite(While& node) {
    node.condition = parts(node.condition);
    node.body = parts(node.body);
  }
  void rewrite(Block& node) {
    for (Stmt& each : node.statements) each = parts(each);
  }
  void rewrite(Comment&) {}
  void rewrite(Allocate& node) { node.count = parts(node.count); }
  void rewrite(Resize& node) { node.count = parts(node.count); }
  void rewrite(Release&) {}
  void rewrite(Keep& node) { node.index = parts(node.index); }
  void rewrite(Take& node) { node.index = parts(node.index); }
  void rewrite(Sort& node) {
    node.low = parts(node.low);
    node.high = parts(node.high);
    if (node.marks) node.places = parts(node.places);
  }
  void rewrite(Fill& node) {
    node.low = parts(node.low);
    node.high = parts(node.high);
    node.value = parts(node.value);
  }
  void rewrite(Matrix& node) {
    node.first = parts(node.first);
    node.stride = parts(node.stride);
  }
  void rewrite(MatrixProduct& node) {
    rewrite(node.target);
    rewrite(node.left);
    if (node.right) rewrite(*node.right);
    node.rows = parts(node.rows);
    node.columns = parts(node.columns);
    node.inner = parts(node.inner);
    node.scalar = parts(node.scalar);
  }
  void rewrite(Prefetch& node) { node.index = parts(node.index); }
  void rewrite(Fence&) {}
  void rewrite(Launch& node) {
    node.blocks = parts(node.blocks);
    node.body = parts(node.body);
  }
  void rewrite(ReadBack& node) { node.index = parts(node.index); }
  void rewrite(Exchange&) {}
  void rewrite(Barrier&) {}
  void rewrite(Evaluate& node) { node.call = parts(node.call); }
  void rewrite(Return& node) { node.value = parts(node.value); }
  void rewrite(Break&) {}
};

}  // namespace

Expr Rewriter::rewrite(const Expr& expr) {
  std::vector<Expr> operands = children(expr);
  bool changed = false;
  for (Expr& each : operands) {
    Expr now = rewrite(each);
    changed = changed || !identical(each, now);
    each = std::move(now);
  }
  if (!changed) return rebuilt(expr);
  return rebuilt(std::visit(
      [&](const auto& node) {
        return Expr(std::make_shared<const ExprNode>(ExprNode{WithOperands{operands}(node), expr.type()}));
      },
      expr.node().kind));
}

Stmt Rewriter::rewrite(const Stmt& stmt) {
  if (!stmt) return stmt;
  Parts parts(*this);
  StmtNode copy = *stmt;
  std::visit([&](auto& node) { WithParts{parts}.rewrite(node); }, copy.kind);
  return rebuilt(parts.changed() ? std::make_shared<const StmtNode>(std::move(copy)) : stmt);
}

}  // namespace lacuna::loop

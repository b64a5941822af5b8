#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

bool identical(const Expr& a, const Expr& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  return &a.node() == &b.node();
}

/// The node with its operands replaced, in the order of `children`.
struct WithOperands {
  const std::vector<Expr>& operands;

  std::optional<Member> member(const std::optional<Member>& old) const {
    if (!old || !old->sub.defined()) return old;
    return Member{old->field, operands[1]};
  }
  auto operator()(const Unary& node) const { return Unary{node.op, operands[0]}; }
  auto operator()(const Binary& node) const { return Binary{node.op, operands[0], operands[1], node.wraps}; }
  auto operator()(const Select&) const { return Select{operands[0], operands[1], operands[2]}; }
  auto operator()(const Convert&) const { return Convert{operands[0]}; }
  auto operator()(const Math& node) const { return Math{node.function, operands}; }
  auto operator()(const Load& node) const { return Load{node.array, operands[0], member(node.member), node.wide}; }
  auto operator()(const Invoke& node) const { return Invoke{node.function, operands}; }
  auto operator()(const LowerBound& node) const {
    return LowerBound{node.array, operands[0], operands[1], operands[2], node.near};
  }
  auto operator()(const Dot& node) const {
    return Dot{{node.left.array, operands[0], operands[1]}, {node.right.array, operands[2], operands[3]}, operands[4]};
  }
  auto operator()(const Constant& node) const { return node; }
  auto operator()(const VarUse& node) const { return node; }
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

// Members are rewritten in braces, and so in the order in which they are written here.
struct WithParts {
  Parts& parts;

  StmtNode operator()(const Declare& node) { return {Declare{node.var, parts(node.init), node.size}}; }
  StmtNode operator()(const Assign& node) { return {Assign{node.var, parts(node.value)}}; }
  StmtNode operator()(const Store& node) {
    return {Store{node.array, parts(node.index), parts(node.member), node.op, parts(node.value), node.atomic,
                  parts(node.past_caches)}};
  }
  StmtNode operator()(const If& node) {
    return {If{parts(node.condition), parts(node.then_branch), parts(node.else_branch)}};
  }
  StmtNode operator()(const For& node) {
    For copy = node;
    copy.low = parts(node.low);
    copy.high = parts(node.high);
    for (OwnSum& each : copy.sums) each.count = parts(each.count);
    copy.setup = parts(node.setup);
    copy.body = parts(node.body);
    copy.teardown = parts(node.teardown);
    return {std::move(copy)};
  }
  StmtNode operator()(const While& node) { return {While{parts(node.condition), parts(node.body)}}; }
  StmtNode operator()(const Block& node) {
    Block copy;
    for (const Stmt& each : node.statements) copy.statements.push_back(parts(each));
    return {std::move(copy)};
  }
  StmtNode operator()(const Allocate& node) { return {Allocate{node.array, parts(node.count), node.zeroed}}; }
  StmtNode operator()(const Resize& node) { return {Resize{node.array, parts(node.count)}}; }
  StmtNode operator()(const Keep& node) { return {Keep{node.shelf, parts(node.index), node.array}}; }
  StmtNode operator()(const Take& node) { return {Take{node.array, node.shelf, parts(node.index)}}; }
  StmtNode operator()(const Sort& node) {
    const Expr places = node.marks ? parts(node.places) : Expr();
    return {Sort{node.array, parts(node.low), parts(node.high), node.marks, places}};
  }
  StmtNode operator()(const Fill& node) {
    return {Fill{node.array, parts(node.low), parts(node.high), parts(node.value)}};
  }
  StmtNode operator()(const MatrixProduct& node) {
    const auto matrix = [&](const Matrix& m) {
      const Expr first = parts(m.first);
      return Matrix{m.array, first, parts(m.stride), m.transposed};
    };
    MatrixProduct copy = node;
    copy.target = matrix(node.target);
    copy.left = matrix(node.left);
    if (node.right) copy.right = matrix(*node.right);
    copy.rows = parts(node.rows);
    copy.columns = parts(node.columns);
    copy.inner = parts(node.inner);
    copy.scalar = parts(node.scalar);
    return {std::move(copy)};
  }
  StmtNode operator()(const Prefetch& node) { return {Prefetch{node.array, parts(node.index)}}; }
  StmtNode operator()(const Evaluate& node) { return {Evaluate{parts(node.call)}}; }
  StmtNode operator()(const Return& node) { return {Return{parts(node.value)}}; }
  StmtNode operator()(const Comment& node) { return {node}; }
  StmtNode operator()(const Release& node) { return {node}; }
  StmtNode operator()(const Fence& node) { return {node}; }
  StmtNode operator()(const Break& node) { return {node}; }
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
  StmtNode copy = std::visit(WithParts{parts}, stmt->kind);
  return rebuilt(parts.changed() ? std::make_shared<const StmtNode>(std::move(copy)) : stmt);
}

}  // namespace lacuna::loop

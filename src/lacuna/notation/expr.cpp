#include "lacuna/notation/expr.h"

#include <algorithm>
#include <atomic>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Names only tell people variables apart, so all that matters of this counter is that it never repeats.
std::string fresh_name() {
  static std::atomic<int> count{0};
  return fmt::format("i{}", ++count);
}

template <typename T>
void add_new(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

void collect_accesses(const Expr& e, std::vector<Access>& found) {
  if (const auto* access = as<Access>(e)) found.push_back(*access);
  for (const Expr& child : children(e)) collect_accesses(child, found);
}

void collect_free(const Expr& e, std::vector<IndexVar>& bound, std::vector<IndexVar>& found) {
  const auto use = [&](const IndexVar& var) {
    if (std::find(bound.begin(), bound.end(), var) == bound.end()) add_new(found, var);
  };
  if (const auto* access = as<Access>(e)) std::for_each(access->indices.begin(), access->indices.end(), use);
  if (const auto* index = as<IndexValue>(e)) use(index->var);
  const auto* sum = as<Sum>(e);
  if (sum != nullptr) bound.push_back(sum->var);
  for (const Expr& child : children(e)) collect_free(child, bound, found);
  if (sum != nullptr) bound.pop_back();
}

void collect_all(const Expr& e, std::vector<IndexVar>& found) {
  if (const auto* access = as<Access>(e)) {
    for (const IndexVar& var : access->indices) add_new(found, var);
  }
  if (const auto* index = as<IndexValue>(e)) add_new(found, index->var);
  if (const auto* sum = as<Sum>(e)) add_new(found, sum->var);
  for (const Expr& child : children(e)) collect_all(child, found);
}

bool same_names(const std::vector<IndexVar>& a, const std::vector<IndexVar>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const IndexVar& x, const IndexVar& y) { return x.name() == y.name(); });
}

/// The same node, the children aside.
/// Without a list of the children, which would take memory.
bool same_node(const Expr& a, const Expr& b) {
  return match(
      a,
      [&](const Access& x) {
        const auto* y = as<Access>(b);
        return y != nullptr && x.tensor.name() == y->tensor.name() && same_names(x.indices, y->indices);
      },
      [&](const Literal& x) { return as<Literal>(b) != nullptr && x.value == as<Literal>(b)->value; },
      [&](const IndexValue& x) {
        return as<IndexValue>(b) != nullptr && x.var.name() == as<IndexValue>(b)->var.name();
      },
      [&](const Negate& x) { return as<Negate>(b) != nullptr && equal(x.operand, as<Negate>(b)->operand); },
      [&](const Binary& x) {
        const auto* y = as<Binary>(b);
        return y != nullptr && x.op == y->op && equal(x.left, y->left) && equal(x.right, y->right);
      },
      [&](const Call& x) {
        const auto* y = as<Call>(b);
        return y != nullptr && x.function == y->function &&
               std::equal(x.arguments.begin(), x.arguments.end(), y->arguments.begin(), y->arguments.end(), equal);
      },
      [&](const Cast& x) {
        const auto* y = as<Cast>(b);
        return y != nullptr && x.type == y->type && equal(x.operand, y->operand);
      },
      [&](const Sum& x) {
        const auto* y = as<Sum>(b);
        return y != nullptr && x.var.name() == y->var.name() && equal(x.body, y->body);
      });
}

std::vector<Expr> children(const ExprKind& kind) {
  return std::visit(Overloaded{
                        [](const Access&) { return std::vector<Expr>{}; },
                        [](const Literal&) { return std::vector<Expr>{}; },
                        [](const IndexValue&) { return std::vector<Expr>{}; },
                        [](const Negate& n) { return std::vector<Expr>{n.operand}; },
                        [](const Binary& n) {
                          return std::vector<Expr>{n.left, n.right};
                        },
                        [](const Call& n) { return n.arguments; },
                        [](const Cast& n) { return std::vector<Expr>{n.operand}; },
                        [](const Sum& n) { return std::vector<Expr>{n.body}; },
                    },
                    kind);
}

void check_node(const ExprKind& kind) {
  if (const auto* access = std::get_if<Access>(&kind)) {
    const int given = static_cast<int>(access->indices.size());
    if (given != access->tensor.order()) {
      user_error("{} has {} mode(s), but is written with {} index variable(s)", access->tensor.name(),
                 access->tensor.order(), given);
    }
  }
  if (const auto* call = std::get_if<Call>(&kind)) {
    const FunctionInfo& function = info(call->function);
    if (static_cast<int>(call->arguments.size()) != function.arity) {
      user_error("{} takes {} argument{}, but {} {} given", function.name, function.arity,
                 function.arity == 1 ? "" : "s", call->arguments.size(), call->arguments.size() == 1 ? "is" : "are");
    }
  }
}

}  // namespace

IndexVar::IndexVar() : IndexVar(fresh_name()) {}

bool contains(const std::vector<IndexVar>& list, const IndexVar& v) {
  return std::find(list.begin(), list.end(), v) != list.end();
}

Expr::Expr(int value) : Expr(Scalar(value)) {}
Expr::Expr(std::int64_t value) : Expr(Scalar(value)) {}
Expr::Expr(double value) : Expr(Scalar(value)) {}
Expr::Expr(const Scalar& value) : Expr(make_expr(Literal{value})) {}
Expr::Expr(const IndexVar& var) : Expr(make_expr(IndexValue{var})) {}

SourceRange Expr::where() const { return node_ ? node_->where : SourceRange{}; }

Expr make_node(ExprKind kind, SourceRange where) {
  check_node(kind);
  int depth = 1;
  std::int64_t size = 1;
  for (const Expr& child : children(kind)) {
    internal_check(child.defined(), "an expression was built over an empty one");
    depth = std::max(depth, child.node().depth + 1);
    size += child.node().size;
  }
  if (depth > max_expression_depth) {
    user_error("the expression is nested or chained more than {} operations deep; split the statement in several",
               max_expression_depth);
  }
  if (size > max_expression_size) {
    user_error("the expression has more than {} operations and operands; split the statement in several",
               max_expression_size);
  }
  return Expr(std::make_shared<const ExprNode>(ExprNode{std::move(kind), where, depth, static_cast<int>(size)}));
}

std::vector<Expr> children(const Expr& e) { return children(e.node().kind); }

Expr with_children(const Expr& e, const std::vector<Expr>& operands) {
  const std::vector<Expr> old = children(e);
  internal_check(old.size() == operands.size(), "a node of {} operands is given {}", old.size(), operands.size());
  const auto same = [](const Expr& a, const Expr& b) { return a.get() == b.get(); };
  if (std::equal(old.begin(), old.end(), operands.begin(), same)) return e;
  const SourceRange where = e.where();
  return match(
      e, [&](const Access&) { return e; }, [&](const Literal&) { return e; }, [&](const IndexValue&) { return e; },
      [&](const Negate&) { return make_expr(Negate{operands[0]}, where); },
      [&](const Binary& n) {
        return make_expr(Binary{n.op, operands[0], operands[1]}, where);
      },
      [&](const Call& n) {
        return make_expr(Call{n.function, operands}, where);
      },
      [&](const Cast& n) {
        return make_expr(Cast{n.type, operands[0]}, where);
      },
      [&](const Sum& n) {
        return make_expr(Sum{n.var, operands[0]}, where);
      });
}

Access renamed(const Access& access, const Renaming& to) {
  Access out{to.tensor(access.tensor), access.indices};
  for (IndexVar& var : out.indices) var = to.variable(var);
  return out;
}

Expr renamed(const Expr& e, const Renaming& to) {
  if (const auto* access = as<Access>(e)) return make_expr(renamed(*access, to));
  if (const auto* value = as<IndexValue>(e)) return make_expr(IndexValue{to.variable(value->var)});
  std::vector<Expr> parts = children(e);
  for (Expr& part : parts) part = renamed(part, to);
  if (const auto* sum = as<Sum>(e)) return make_expr(Sum{to.variable(sum->var), parts[0]});
  return with_children(e, parts);
}

std::vector<Access> accesses(const Expr& e) {
  std::vector<Access> found;
  collect_accesses(e, found);
  return found;
}

std::vector<IndexVar> free_variables(const Expr& e) {
  std::vector<IndexVar> bound;
  std::vector<IndexVar> found;
  collect_free(e, bound, found);
  return found;
}

std::vector<IndexVar> all_variables(const Expr& e) {
  std::vector<IndexVar> found;
  collect_all(e, found);
  return found;
}

std::vector<IndexVar> all_variables(const Statement& s) {
  std::vector<IndexVar> found;
  for (const IndexVar& var : s.lhs.indices) add_new(found, var);
  collect_all(s.rhs, found);
  return found;
}

bool equal(const Expr& a, const Expr& b) {
  if (a.get() == b.get()) return true;
  return a.defined() && b.defined() && a.node().size == b.node().size && same_node(a, b);
}

}  // namespace lacuna

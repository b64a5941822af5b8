#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lacuna/support/error.h"
#include "lacuna/support/functions.h"
#include "lacuna/support/scalar.h"

namespace lacuna {

/// An index variable: its identity is the object, its name is for people.
class IndexVar {
 public:
  IndexVar();  // a fresh variable with a generated name (i1, i2, …)
  explicit IndexVar(std::string name) : name_(std::make_shared<const std::string>(std::move(name))) {}
  const std::string& name() const { return *name_; }
  bool operator==(const IndexVar& o) const { return name_ == o.name_; }
  bool operator<(const IndexVar& o) const { return name_ < o.name_; }  // an arbitrary order, for maps; never for output

 private:
  std::shared_ptr<const std::string> name_;
};

bool contains(const std::vector<IndexVar>& list, const IndexVar& v);

/// A tensor as the notation knows it: a name and an order. Type, dimensions and format are said elsewhere.
class TensorVar {
 public:
  TensorVar() : TensorVar(std::string(), 0) {}  // nameless: only to be assigned to
  TensorVar(std::string name, int order) : data_(std::make_shared<const Data>(Data{std::move(name), order})) {}
  const std::string& name() const { return data_->name; }
  int order() const { return data_->order; }
  bool operator==(const TensorVar& o) const { return data_ == o.data_; }
  bool operator<(const TensorVar& o) const { return data_ < o.data_; }

 private:
  struct Data {
    std::string name;
    int order;
  };
  std::shared_ptr<const Data> data_;
};

enum class BinaryOp : std::uint8_t { Add, Sub, Mul, Div };

struct ExprNode;

/// An immutable expression tree. Copies share it.
class Expr {
 public:
  Expr() = default;           // empty: only to be assigned to
  Expr(int value);            // NOLINT(google-explicit-constructor): literals read naturally
  Expr(std::int64_t value);   // NOLINT(google-explicit-constructor)
  Expr(double value);         // NOLINT(google-explicit-constructor)
  Expr(const Scalar& value);  // NOLINT(google-explicit-constructor)
  Expr(const IndexVar& var);  // NOLINT(google-explicit-constructor): an index variable as a value (int64)
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  const ExprNode& node() const { return *node_; }
  const ExprNode* get() const { return node_.get(); }
  SourceRange where() const;

 private:
  std::shared_ptr<const ExprNode> node_;
};

// The nodes, listed once. Whoever visits the variant with overloaded lambdas is told by the compiler what is missing.
struct Access {  // A(i,j); a scalar has no indices
  TensorVar tensor;
  std::vector<IndexVar> indices;
};
struct Literal {
  Scalar value;
};
struct IndexValue {  // an index variable used as a value; its type is Int64
  IndexVar var;
};
struct Negate {
  Expr operand;
};
struct Binary {
  BinaryOp op;
  Expr left, right;
};
struct Call {
  FunctionId function;
  std::vector<Expr> arguments;
};
struct Cast {
  Type type;
  Expr operand;
};
struct Sum {  // sum(var, body)
  IndexVar var;
  Expr body;
};

using ExprKind = std::variant<Access, Literal, IndexValue, Negate, Binary, Call, Cast, Sum>;

struct ExprNode {
  ExprKind kind;
  SourceRange where;  // in the statement's text, when it was parsed
  int depth = 1;      // of the tree below, this node counted; make_node computes and bounds it
  int size = 1;       // its number of nodes, shared ones counted each time
};

/// Bounds on every tree, so that walks over it by recursion neither overflow the stack nor take forever.
inline constexpr int max_expression_depth = 1000;
inline constexpr int max_expression_size = 100'000;

/// Makes one callable of several lambdas, for std::visit.
template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

/// Visits the node of an expression: match(e, [](const Access& a) {…}, …).
template <typename... Fs>
decltype(auto) match(const Expr& e, Fs&&... fs) {
  return std::visit(Overloaded{std::forward<Fs>(fs)...}, e.node().kind);
}

/// The one place where nodes are made. Throws Error when the tree gets deeper or larger than the bounds above, or when
/// an access has another number of indices than its tensor has modes, or a call another number of arguments.
Expr make_node(ExprKind kind, SourceRange where = {});
template <typename Node>
Expr make_expr(Node node, SourceRange where = {}) {
  return make_node(ExprKind(std::move(node)), where);
}
/// The node as a Node, or null.
template <typename Node>
const Node* as(const Expr& e) {
  return std::get_if<Node>(&e.node().kind);
}

/// lhs = rhs or lhs += rhs. `text` is what the user wrote, when it was text.
struct Statement {
  Access lhs;
  bool accumulate = false;
  Expr rhs;
  std::string text;
};

/// The direct operands of a node, in order; empty for leaves.
std::vector<Expr> children(const Expr& e);
/// The same node over other children (as many as children() gives); shares the node when nothing changed.
Expr with_children(const Expr& e, const std::vector<Expr>& operands);
/// The same expression over other tensors and variables, also those that sums bind.
struct Renaming {
  std::function<TensorVar(const TensorVar&)> tensor = [](const TensorVar& same) { return same; };
  std::function<IndexVar(const IndexVar&)> variable = [](const IndexVar& same) { return same; };
};
Access renamed(const Access& access, const Renaming& to);
Expr renamed(const Expr& e, const Renaming& to);
/// Every access of an expression, left to right, repeated ones repeated.
std::vector<Access> accesses(const Expr& e);
/// The index variables that occur free (not bound by a sum inside), in order of first occurrence.
std::vector<IndexVar> free_variables(const Expr& e);
/// All variables of a statement: those of the left side first, then by first occurrence; those bound by sums, too.
std::vector<IndexVar> all_variables(const Statement& s);
/// The same of an expression.
std::vector<IndexVar> all_variables(const Expr& e);
/// Same tree up to source ranges; tensors and variables are compared by name.
bool equal(const Expr& a, const Expr& b);

}  // namespace lacuna

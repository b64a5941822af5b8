// A loop of constant length is written out by C compilers before they look for vectors, over which they take long once
// the loop is long. So the vectors are chosen here: where neighbouring iterations store to neighbouring elements what
// neighbouring elements give.
#include <map>
#include <optional>

#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/walk.h"

namespace lacuna::loop {
namespace {

constexpr std::int64_t least_bytes = 256;  // that a loop stores: compilers are quick over shorter ones

/// How the expressions in the body of one loop differ from one iteration to the next.
class Lanes {
 public:
  Lanes(const Var& counter, Type element) : element_(element) { strides_[counter] = 1; }

  /// A name for an index that is known before the loop, plus the counter.
  bool note(const Declare& d) {
    if (!d.init.defined() || d.var.type() != scalar_type(Type::Int64)) return false;
    const auto steps = stride(d.init);
    if (steps) strides_[d.var] = *steps;
    return steps.has_value();
  }

  /// How far apart the values of an index are in neighbouring iterations; none where that is not always 0 or 1.
  std::optional<int> stride(const Expr& e) const {
    if (const auto* use = std::get_if<VarUse>(&e.node().kind)) {
      const auto it = strides_.find(use->var);
      return it == strides_.end() ? 0 : it->second;
    }
    const auto* b = std::get_if<Binary>(&e.node().kind);
    if (b != nullptr && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub)) {
      const auto left = stride(b->left), right = stride(b->right);
      if (!left || !right || (b->op == BinaryOp::Sub && *right != 0) || *left + *right > 1) return std::nullopt;
      return *left + *right;
    }
    return is_fixed(e) ? std::optional(0) : std::nullopt;
  }

  /// The expression with its loads of neighbouring elements marked; none where it is no vector: what does not change
  /// from lane to lane stands beside something that does.
  std::optional<Expr> widened(const Expr& e) const {
    if (e.type() != scalar_type(element_)) return std::nullopt;
    if (const auto* load = std::get_if<Load>(&e.node().kind)) {
      if (load->member || load->array.type() != array_type(element_) || stride(load->index) != 1) return std::nullopt;
      return wide(e);
    }
    const auto* b = std::get_if<Binary>(&e.node().kind);
    if (b == nullptr || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub && b->op != BinaryOp::Mul))
      return std::nullopt;
    const auto left = widened(b->left), right = widened(b->right);
    if ((!left && !right) || (!left && !is_scalar(b->left)) || (!right && !is_scalar(b->right))) return std::nullopt;
    Binary both = *b;
    both.left = left.value_or(b->left);
    both.right = right.value_or(b->right);
    return Expr(std::make_shared<const ExprNode>(ExprNode{both, e.type()}));
  }

  /// Whether the same elements of an array are read that are stored to, or none.
  static bool reads_only_what_it_stores(const Store& s) {
    bool only = true;
    for_each(s.value, [&](const Expr& e) {
      const auto* load = std::get_if<Load>(&e.node().kind);
      only = only && (load == nullptr || !(load->array == s.array) || same(load->index, s.index));
    });
    return only;
  }

 private:
  bool is_fixed(const Expr& e) const {
    bool fixed = true;
    for_each(e, [&](const Expr& x) {
      const auto* use = std::get_if<VarUse>(&x.node().kind);
      fixed = fixed && (use == nullptr || strides_.count(use->var) == 0);
    });
    return fixed;
  }

  /// C makes a vector of it: of the elements' type as it is written.
  bool is_scalar(const Expr& e) const {
    bool plain = e.type() == scalar_type(element_) && is_fixed(e);
    for_each(e, [&](const Expr& x) {
      if (x.type() != scalar_type(element_)) return;
      plain = plain && (std::holds_alternative<Load>(x.node().kind) || std::holds_alternative<VarUse>(x.node().kind) ||
                        std::holds_alternative<Binary>(x.node().kind));
    });
    return plain;
  }

  static Expr wide(const Expr& load) {
    Load neighbours = std::get<Load>(load.node().kind);
    neighbours.wide = true;
    return Expr(std::make_shared<const ExprNode>(ExprNode{std::move(neighbours), load.type()}));
  }

  Type element_;
  std::map<Var, int> strides_;
};

/// The statements of a body, blocks opened.
std::vector<Stmt> flat(const Stmt& body) {
  const auto* block = std::get_if<Block>(&body->kind);
  if (block == nullptr) return {body};
  std::vector<Stmt> all;
  for (const Stmt& s : block->statements)
    for (const Stmt& x : flat(s)) all.push_back(x);
  return all;
}

/// How many lanes a loop that is written out whole can have; 0: none.
int lanes_of(const For& loop, const Store& store, int vector_bytes) {
  const IrType element = element_type(store.array.type());
  if (element != scalar_type(Type::Float64) && element != scalar_type(Type::Float32)) return 0;
  const int lanes = vector_bytes / size_of(element.scalar);
  const bool fits = lanes > 1 && loop.unroll % lanes == 0 && loop.unroll * size_of(element.scalar) >= least_bytes;
  return fits ? lanes : 0;
}

std::optional<For> vectorised(const For& loop, int vector_bytes) {
  const bool whole = loop.mode == LoopMode::Serial && loop.unroll > 1 && loop.step == 1 && !loop.setup &&
                     !loop.teardown && is_constant(loop.low, 0) && is_constant(loop.high, loop.unroll);
  std::vector<Stmt> body = flat(loop.body);
  const auto* store = body.empty() ? nullptr : std::get_if<Store>(&body.back()->kind);
  if (!whole || store == nullptr || store->member || store->atomic) return std::nullopt;
  const int count = lanes_of(loop, *store, vector_bytes);
  if (count == 0) return std::nullopt;
  Lanes lanes(loop.var, store->value.type().scalar);
  for (std::size_t k = 0; k + 1 < body.size(); ++k) {
    const auto* declare = std::get_if<Declare>(&body[k]->kind);
    if (declare == nullptr || !lanes.note(*declare)) return std::nullopt;
  }
  const auto value = lanes.widened(store->value);
  if ((store->op != StoreOp::Set && store->op != StoreOp::Add) || lanes.stride(store->index) != 1 || !value ||
      !Lanes::reads_only_what_it_stores(*store))
    return std::nullopt;
  Store wide = *store;
  wide.value = *value;
  body.back() = make_stmt(std::move(wide));
  For found = loop;
  found.mode = LoopMode::Vector;
  found.lanes = count;
  found.unroll = 0;
  found.body = block(std::move(body));
  return found;
}

class Rows final : public Rewriter {
 public:
  explicit Rows(int vector_bytes) : vector_bytes_(vector_bytes) {}

 private:
  Stmt rebuilt(Stmt stmt) override {
    const auto* loop = std::get_if<For>(&stmt->kind);
    const auto found = loop == nullptr ? std::nullopt : vectorised(*loop, vector_bytes_);
    return found ? make_stmt(*found) : stmt;
  }

  int vector_bytes_;
};

}  // namespace

Module vectorize_rows(const Module& module, int vector_bytes) {
  Module changed = module;
  Rows pass(vector_bytes);
  changed.body = pass.rewrite(changed.body);
  return changed;
}

}  // namespace lacuna::loop

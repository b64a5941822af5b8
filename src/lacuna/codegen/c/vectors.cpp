#include "lacuna/codegen/c/vectors.h"

#include <map>

#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"

namespace lacuna {
namespace {

using loop::Expr;

constexpr std::int64_t least_bytes = 256;  // that a loop stores: compilers are quick over shorter ones

/// Looks at the body of one loop.
class Lanes {
 public:
  Lanes(const loop::Var& counter, Type element) : element_(element) { strides_[counter] = 1; }

  /// A name for an index that is known before the loop, plus the counter.
  bool note(const loop::Declare& d) {
    if (!d.init.defined() || d.var.type() != loop::scalar_type(Type::Int64)) return false;
    const auto steps = stride(d.init);
    if (steps) strides_[d.var] = *steps;
    return steps.has_value();
  }

  /// How far apart the values of an index are in neighbouring iterations; none where that is not always 0 or 1.
  std::optional<int> stride(const Expr& e) const {
    if (const auto* use = std::get_if<loop::VarUse>(&e.node().kind)) {
      const auto it = strides_.find(use->var);
      return it == strides_.end() ? 0 : it->second;
    }
    const auto* b = std::get_if<loop::Binary>(&e.node().kind);
    if (b != nullptr && (b->op == loop::BinaryOp::Add || b->op == loop::BinaryOp::Sub)) {
      const auto left = stride(b->left), right = stride(b->right);
      if (!left || !right || (b->op == loop::BinaryOp::Sub && *right != 0) || *left + *right > 1) return std::nullopt;
      return *left + *right;
    }
    return is_fixed(e) ? std::optional(0) : std::nullopt;
  }

  /// Whether an expression is a vector: what does not change from lane to lane stands beside something that does.
  bool is_wide(const Expr& e, VectorLoop& found) const {
    if (e.type() != loop::scalar_type(element_)) return false;
    if (const auto* load = std::get_if<loop::Load>(&e.node().kind)) {
      if (load->member || load->array.type() != loop::array_type(element_) || stride(load->index) != 1) return false;
      found.wide.insert(&e.node());
      return true;
    }
    const auto* b = std::get_if<loop::Binary>(&e.node().kind);
    if (b == nullptr || (b->op != loop::BinaryOp::Add && b->op != loop::BinaryOp::Sub && b->op != loop::BinaryOp::Mul))
      return false;
    const bool left = is_wide(b->left, found), right = is_wide(b->right, found);
    return (left || right) && (left || is_scalar(b->left)) && (right || is_scalar(b->right));
  }

  /// Whether the same elements of an array are read that are stored to, or none.
  static bool reads_only_what_it_stores(const loop::Store& s) {
    bool only = true;
    loop::for_each(s.value, [&](const Expr& e) {
      const auto* load = std::get_if<loop::Load>(&e.node().kind);
      only = only && (load == nullptr || !(load->array == s.array) || loop::same(load->index, s.index));
    });
    return only;
  }

 private:
  bool is_fixed(const Expr& e) const {
    bool fixed = true;
    loop::for_each(e, [&](const Expr& x) {
      const auto* use = std::get_if<loop::VarUse>(&x.node().kind);
      fixed = fixed && (use == nullptr || strides_.count(use->var) == 0);
    });
    return fixed;
  }

  /// C makes a vector of it: of the elements' type as it is written.
  bool is_scalar(const Expr& e) const {
    bool plain = e.type() == loop::scalar_type(element_) && is_fixed(e);
    loop::for_each(e, [&](const Expr& x) {
      if (x.type() != loop::scalar_type(element_)) return;
      plain = plain && (std::holds_alternative<loop::Load>(x.node().kind) ||
                        std::holds_alternative<loop::VarUse>(x.node().kind) ||
                        std::holds_alternative<loop::Binary>(x.node().kind));
    });
    return plain;
  }

  Type element_;
  std::map<loop::Var, int> strides_;
};

/// The statements of a body, blocks opened.
std::vector<loop::Stmt> flat(const loop::Stmt& body) {
  const auto* block = std::get_if<loop::Block>(&body->kind);
  if (block == nullptr) return {body};
  std::vector<loop::Stmt> all;
  for (const loop::Stmt& s : block->statements)
    for (const loop::Stmt& x : flat(s)) all.push_back(x);
  return all;
}

}  // namespace

std::optional<VectorLoop> vector_loop(const loop::For& loop, int vector_bytes) {
  const bool whole = loop.mode == loop::LoopMode::Serial && loop.unroll > 1 && loop.step == 1 && !loop.setup &&
                     !loop.teardown && loop::is_constant(loop.low, 0) && loop::is_constant(loop.high, loop.unroll);
  const std::vector<loop::Stmt> body = flat(loop.body);
  const auto* store = body.empty() ? nullptr : std::get_if<loop::Store>(&body.back()->kind);
  if (!whole || store == nullptr || store->member || store->atomic) return std::nullopt;
  const loop::IrType element = loop::element_type(store->array.type());
  if (element != loop::scalar_type(Type::Float64) && element != loop::scalar_type(Type::Float32)) return std::nullopt;
  VectorLoop found{element.scalar, vector_bytes / size_of(element.scalar), {}};
  if (found.lanes < 2 || loop.unroll % found.lanes != 0 || loop.unroll * size_of(element.scalar) < least_bytes)
    return std::nullopt;
  Lanes lanes(loop.var, element.scalar);
  for (std::size_t k = 0; k + 1 < body.size(); ++k) {
    const auto* declare = std::get_if<loop::Declare>(&body[k]->kind);
    if (declare == nullptr || !lanes.note(*declare)) return std::nullopt;
  }
  const bool moves = store->op == loop::StoreOp::Set || store->op == loop::StoreOp::Add;
  if (!moves || lanes.stride(store->index) != 1 || !lanes.is_wide(store->value, found) ||
      !Lanes::reads_only_what_it_stores(*store))
    return std::nullopt;
  return found;
}

std::set<loop::Var> streamed_arrays(const loop::Stmt& body, int vector_bytes) {
  std::set<loop::Var> arrays;
  loop::for_each(body, [&](const loop::Stmt& each) {
    const auto* loop = std::get_if<loop::For>(&each->kind);
    if (loop == nullptr || !vector_loop(*loop, vector_bytes)) return;
    const auto& store = std::get<loop::Store>(flat(loop->body).back()->kind);
    if (store.last && store.op == loop::StoreOp::Set) arrays.insert(store.array);
  });
  return arrays;
}

}  // namespace lacuna

#include <map>

#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/type.h"

namespace lacuna::loop {
namespace {

constexpr std::int64_t fewest = 4, most = 64;  // turns

std::optional<std::int64_t> constant(const Expr& e) {
  const auto* c = std::get_if<Constant>(&e.node().kind);
  if (c == nullptr || !is_integer(c->value.type())) return std::nullopt;
  return c->value.as<std::int64_t>();
}

/// The one loop that is looked at, as far as its iterations may depend on one another.
class Iterations {
 public:
  explicit Iterations(const For& loop) : var_(loop.var) { apart_ = has_one_store(loop.body) && store_ != nullptr; }

  /// Whether each stores to one element, which no other one touches.
  bool are_apart() const {
    if (!apart_ || !moves_with_loop(store_->index)) return false;
    bool alone = reads_apart(store_->value) && reads_apart(store_->index);
    for (const auto& [v, init] : declared_) alone = alone && reads_apart(init);
    return alone;
  }

 private:
  bool has_one_store(const Stmt& s) {
    if (const auto* block = std::get_if<Block>(&s->kind)) {
      for (const Stmt& x : block->statements)
        if (!has_one_store(x)) return false;
      return true;
    }
    if (const auto* declare = std::get_if<Declare>(&s->kind)) {
      if (declare->size > 0 || !declare->init.defined()) return false;
      declared_.emplace(declare->var, declare->init);
      return true;
    }
    const auto* store = std::get_if<Store>(&s->kind);
    if (store == nullptr || store_ != nullptr || store->atomic || store->member) return false;
    store_ = store;
    return is_float(store->array.type().scalar) && (store->op == StoreOp::Set || store->op == StoreOp::Add);
  }

  bool depends(const Expr& e) const {
    bool found = false;
    for_each(e, [&](const Expr& x) {
      const auto* use = std::get_if<VarUse>(&x.node().kind);
      if (use == nullptr) return;
      const auto declared = declared_.find(use->var);
      found = found || use->var == var_ || (declared != declared_.end() && depends(declared->second));
    });
    return found;
  }

  /// Whether an index goes on by one where the loop does.
  bool moves_with_loop(const Expr& e) const {
    if (const auto* use = std::get_if<VarUse>(&e.node().kind)) {
      const auto declared = declared_.find(use->var);
      return use->var == var_ || (declared != declared_.end() && moves_with_loop(declared->second));
    }
    const auto* sum = std::get_if<Binary>(&e.node().kind);
    if (sum == nullptr || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return false;
    if (moves_with_loop(sum->left)) return !depends(sum->right);
    return sum->op == BinaryOp::Add && moves_with_loop(sum->right) && !depends(sum->left);
  }

  /// Whether of the array that is stored to nothing is read but the element itself, and nothing is called.
  bool reads_apart(const Expr& e) const {
    bool apart = true;
    for_each(e, [&](const Expr& x) {
      const auto& kind = x.node().kind;
      if (std::holds_alternative<Invoke>(kind) || std::holds_alternative<LowerBound>(kind) ||
          std::holds_alternative<Dot>(kind))
        apart = false;
      const auto* load = std::get_if<Load>(&kind);
      if (load != nullptr && load->array == store_->array) apart = apart && same(load->index, store_->index);
    });
    return apart;
  }

  Var var_;
  std::map<Var, Expr> declared_;
  const Store* store_ = nullptr;
  bool apart_ = false;
};

class ShortLoops : public Rewriter {
 protected:
  Stmt rebuilt(Stmt stmt) override {
    const auto* loop = std::get_if<For>(&stmt->kind);
    if (loop == nullptr || loop->mode != LoopMode::Serial || loop->unroll > 0 || loop->step != 1) return stmt;
    const auto low = constant(loop->low), high = constant(loop->high);
    if (!low || !high || *high - *low < fewest || *high - *low > most) return stmt;
    if (!Iterations(*loop).are_apart()) return stmt;
    For in_lanes = *loop;
    in_lanes.mode = LoopMode::Vector;
    return make_stmt(std::move(in_lanes));
  }
};

}  // namespace

Module vectorize_short_loops(const Module& module) {
  Module changed = module;
  ShortLoops pass;
  changed.body = pass.rewrite(changed.body);
  return changed;
}

}  // namespace lacuna::loop

#include "lacuna/concrete/structure.h"
#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/assemble/growth.h"
#include "lacuna/lower/assemble/node_filler.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Dense, compressed and dynamic levels in any order, at least one of them dynamic, with coordinates arriving in level
/// order. The levels that are not dense count their entries; an entry's number is its position, whatever the level
/// stores it in, and is what dense levels below multiply, edges and roots are numbered by, and nodes above refer to.
/// What lies below an entry is made for the position that comes next, and the entry is stored, and counted, if anything
/// was stored there. So parents without children are not stored, and what was made for them is made anew.
class Nodes final : public Assembler {
 public:
  Nodes(Context& context, const concrete::Tensor& made) : Assembler(context, made) {
    order_ = result().format.order();
    levels_.resize(static_cast<std::size_t>(order_));
  }

  void begin() override {
    const TensorVar& tensor = result().var;
    for (int k = 0; k < order_; ++k) {
      if (format_of(k).full()) continue;
      Level& level = at(k);
      level.count = context_.scalar(tensor, k, DescriptorField::Positions);
      context_.mark_out(*level.count);
      level.arrays.emplace(context_, fmt::format("{}{}", argument_name(), k + 1), *level.count);
      if (format_of(k).packed()) level.arrays->add(out_array(k, DescriptorField::Crd));
      else level.filler.emplace(context_, tensor, k, *level.count, above(k) < 0 ? block(-1) : loop::Expr(0));
    }
    for (int k = 0; k < order_; ++k) {
      if (format_of(k).full()) continue;
      const int next = below(k);
      if (next == order_ && !values_in_nodes()) at(k).arrays->add(out_array(0, DescriptorField::Values), block(k));
      if (next < order_ && format_of(next).packed())
        at(k).arrays->add(out_array(next, DescriptorField::Pos), block(k), 1);
    }
  }

  loop::Stmt iteration(const IndexVar& var, const Scope& scope,
                       const std::function<loop::Stmt(const Scope&)>& body) override {
    for (int k = 0; k < order_; ++k) {
      if (!(variable(k) == var)) continue;
      if (format_of(k).full()) return dense_iteration(k, scope, body);
      return k + 1 == order_ ? body(scope) : entry_iteration(k, scope, body);
    }
    return body(scope);
  }

  void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
             Statements& out) override {
    internal_check(!accumulate, "an entry of nodes is assigned once");
    Computed converted = value;
    converted.value = loop::convert(value.value, result().type);
    const int last = order_ - 1;
    Statements stored;
    if (!format_of(last).full()) {
      stored.push_back(add_entry(last, scope, converted.value));
    } else {
      const int above = above_block();
      const loop::Expr p = dense_position_of(target, scope, above + 1, last, *at(above).count);
      stored = {loop::store(out_array(0, DescriptorField::Values), p, converted.value),
                loop::assign(*any_, loop::Expr(true))};
    }
    out.push_back(loop::if_then(is_stored(converted), loop::block(std::move(stored))));
  }

  void before_sharing(const Sharing&, Statements&) override {
    throw InternalError("internal error: threads put nodes into " + result().var.name());
  }

  void end() override {
    auto& before = context_.prologue;
    auto& after = context_.epilogue;
    for (int k = 0; k < order_; ++k) {
      if (format_of(k).full()) continue;
      before.push_back(loop::assign(*at(k).count, loop::Expr(0)));
      if (format_of(k).packed() || below(k) == order_ || format_of(below(k)).packed())
        before.push_back(at(k).arrays->start(loop::Expr(0)));
      const int owner = above(k);
      if (format_of(k).is_dynamic()) {
        at(k).filler->begin(before);
        at(k).filler->end(parents(k), after);
      } else {
        const loop::Var pos = out_array(k, DescriptorField::Pos);
        if (owner < 0) before.push_back(loop::allocate(pos, block(-1) + loop::Expr(1), true));
        else before.push_back(loop::store(pos, loop::Expr(0), loop::constant(pos.type().scalar, 0)));
        if (at(k).skips_parents) after.push_back(carry_forward(pos, parents(k)));
      }
    }
    if (format_of(0).packed()) after.push_back(close_edge(0, loop::Expr(0)));
    if (format_of(0).is_dynamic()) {
      before.push_back(opened_);
      after.insert(after.begin(), at(0).filler->close(loop::Expr(0)));
    }
  }

  void enter_pass(int, Statements&) override {
    if (format_of(0).is_dynamic()) opened_ = at(0).filler->open();
  }

 private:
  struct Level {
    std::optional<loop::Var> count;       // entries so far
    std::optional<GrowingArrays> arrays;  // that have an element an entry
    std::optional<NodeFiller> filler;
    bool skips_parents = false;
  };

  Level& at(int k) { return levels_[static_cast<std::size_t>(k)]; }
  const LevelFormat& format_of(int k) const { return result().format.level(k); }
  bool values_in_nodes() const { return result().format.has_values_in_nodes(); }
  /// The next level below or above that is not dense; past the last, and -1, where there is none.
  int below(int k) const {
    for (++k; k < order_ && format_of(k).full();) ++k;
    return k;
  }
  int above(int k) const {
    for (--k; k >= 0 && format_of(k).full();) --k;
    return k;
  }
  int above_block() const { return above(order_); }
  /// Positions of the dense levels under one entry of a level, or under the whole (-1).
  loop::Expr block(int k) { return context_.extents(result().var, k + 1, below(k)); }
  /// How many parents a level has in the end.
  loop::Expr parents(int k) {
    const int owner = above(k);
    return owner < 0 ? block(-1) : times(*at(owner).count, block(owner));
  }
  loop::Var out_array(int level, DescriptorField field) {
    const loop::Var a = context_.array(result().var, level, field);
    context_.mark_out(a);
    return a;
  }

  /// Stores the entry that is counted next. `child`: what a dynamic level refers to, or the value.
  loop::Stmt add_entry(int k, const Scope& scope, const loop::Expr& child) {
    const loop::Expr c = scope.coordinate.at(variable(k));
    const loop::Var count = *at(k).count;
    Statements out;
    if (format_of(k).is_dynamic()) {
      out.push_back(at(k).filler->add(result_parent(scope), c, child));
    } else {
      const loop::Var crd = out_array(k, DescriptorField::Crd);
      if (k + 1 == order_) out.push_back(at(k).arrays->reserve(loop::Expr(1)));
      out.push_back(loop::store(crd, count, loop::convert(c, crd.type().scalar)));
      if (k + 1 == order_) out.push_back(loop::store(out_array(0, DescriptorField::Values), count, child));
    }
    out.push_back(loop::increment(count));
    return loop::block(std::move(out));
  }

  loop::Stmt close_edge(int k, const loop::Expr& parent) {
    const loop::Var pos = out_array(k, DescriptorField::Pos);
    return loop::store(pos, parent + loop::Expr(1), loop::convert(loop::Expr(*at(k).count), pos.type().scalar));
  }

  /// `body` at one parent of level k, which is not dense.
  loop::Stmt under_parent(int k, const loop::Expr& parent, const loop::Stmt& open, const loop::Stmt& body) {
    if (format_of(k).packed()) return loop::block({body, close_edge(k, parent)});
    return loop::block({open, body, at(k).filler->close(parent)});
  }
  loop::Stmt open(int k) { return format_of(k).is_dynamic() ? at(k).filler->open() : nullptr; }

  loop::Stmt dense_iteration(int k, const Scope& scope, const std::function<loop::Stmt(const Scope&)>& body) {
    Scope inner = scope;
    loop::Expr parent = scope.coordinate.at(variable(k));
    if (k > 0) parent = result_parent(scope) * loop::Expr(context_.extent(result().var, k)) + parent;
    inner.result_parent.insert_or_assign(result().var, parent);
    const int next = k + 1;
    if (next == order_ || format_of(next).full()) return body(inner);
    at(next).skips_parents = at(next).skips_parents || !scope.covers;
    const loop::Stmt opened = open(next);
    const loop::Stmt inside = body(inner);
    return under_parent(next, parent, opened, inside);
  }

  /// One coordinate of a level that is not dense and not the last.
  loop::Stmt entry_iteration(int k, const Scope& scope, const std::function<loop::Stmt(const Scope&)>& body) {
    const loop::Var count = *at(k).count;
    const int next = below(k);
    Scope inner = scope;
    inner.result_parent.insert_or_assign(result().var, loop::Expr(count));
    Statements out = make_below(k, next);
    if (next == order_) {
      any_ = context_.fresh("any", loop::scalar_type(Type::Bool));
      out.push_back(loop::declare(*any_, loop::Expr(false)));
      const loop::Var any = *any_;
      out.push_back(body(inner));
      any_.reset();
      out.push_back(loop::if_then(any, add_entry(k, scope, child_of(k))));
      return loop::block(std::move(out));
    }
    const loop::Var child = *at(next).count;
    const loop::Var begin = context_.fresh_index(child.name() + "_begin");
    out.push_back(loop::declare(begin, child));
    if (next == k + 1) {
      const loop::Stmt opened = open(next);
      const loop::Stmt inside = body(inner);
      out.push_back(under_parent(next, count, opened, inside));
    } else {
      out.push_back(body(inner));
    }
    out.push_back(loop::if_then(loop::Expr(begin) < loop::Expr(child), add_entry(k, scope, child_of(k))));
    return loop::block(std::move(out));
  }

  /// What an entry of a dynamic level refers to: the position that it is counted as.
  loop::Expr child_of(int k) {
    return format_of(k).is_dynamic() ? at(k).filler->value_of_child(*at(k).count) : loop::Expr();
  }

  /// Room for one more entry of level k and, under the position that it would have, zeros, edges and empty roots.
  Statements make_below(int k, int next) {
    const loop::Expr first = times(*at(k).count, block(k));
    const bool has_arrays = format_of(k).packed() || next == order_ || format_of(next).packed();
    Statements out;
    if (has_arrays) out.push_back(at(k).arrays->reserve(loop::Expr(1)));
    if (next == order_) {
      out.push_back(loop::fill(out_array(0, DescriptorField::Values), first, first + block(k),
                               loop::Expr(Scalar::zero(result().type))));
    } else if (format_of(next).is_dynamic()) {
      out.push_back(at(next).filler->make_roots(first, block(k)));
    } else if (next > k + 1) {
      const loop::Var pos = out_array(next, DescriptorField::Pos);
      out.push_back(loop::fill(pos, first + loop::Expr(1), first + block(k) + loop::Expr(1),
                               loop::convert(loop::Expr(*at(next).count), pos.type().scalar)));
    }
    return out;
  }

  int order_ = 0;
  std::vector<Level> levels_;
  std::optional<loop::Var> any_;  // whether a value was stored under the entry at hand
  loop::Stmt opened_;             // the first level's only root
};

}  // namespace

std::unique_ptr<Assembler> nodes_assembler(Context& context, const concrete::Tensor& result) {
  return std::make_unique<Nodes>(context, result);
}

}  // namespace lacuna

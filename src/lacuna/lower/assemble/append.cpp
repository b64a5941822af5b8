#include "lacuna/concrete/structure.h"

#include <fmt/core.h>
#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/assemble/counted.h"
#include "lacuna/lower/assemble/growth.h"
#include "lacuna/lower/assemble/shares.h"
#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {
namespace {

/// Dense levels, then compressed ones, then dense ones, with coordinates arriving in level order: entries are appended,
/// and the edges of each compressed level are closed as its parent's iteration ends. Parents without children are not
/// stored. Where arrays do not grow, the nest runs twice, and counts first.
class Append final : public Assembler {
 public:
  Append(Context& context, const concrete::Tensor& made) : Assembler(context, made) {
    const Format& format = result().format;
    while (format.level(first_).full()) ++first_;
    last_ = first_;
    while (last_ + 1 < format.order() && format.level(last_ + 1).packed()) ++last_;
  }

  int passes() const override { return context_.options().device ? 2 : 1; }

  void begin() override {
    const TensorVar& tensor = result().var;
    for (int k = first_; k <= last_; ++k) {
      counts_.push_back(context_.scalar(tensor, k, DescriptorField::Positions));
      context_.mark_out(counts_.back());
      arrays_.emplace_back(context_, fmt::format("{}{}", argument_name(), k + 1), counts_.back());
    }
    for (int k = first_; k <= last_; ++k) {
      GrowingArrays& arrays = arrays_[index(k)];
      arrays.add(out_array(k, DescriptorField::Crd));
      if (k < last_) arrays.add(out_array(k + 1, DescriptorField::Pos), loop::Expr(1), 1);
      else arrays.add(out_array(0, DescriptorField::Values), block_size());
    }
    out_array(first_, DescriptorField::Pos);
    if (passes() > 1) counted_.emplace(context_, groups());
  }

  void enter_pass(int pass, Statements& out) override {
    if (pass > 0) counted_->allocate(out);
  }

  void before_sharing(const Sharing& sharing, Statements& out) override {
    if (counted_) return counted_->before(sharing, counting_, out);
    shares_.emplace(context_, argument_name(), groups());
    shares_->before(sharing.iterations, sharing.entries, out);
  }

  void enter_share(const loop::Expr& iteration, Statements& out) override {
    if (counted_) counted_->enter(iteration, counting_, out);
    else shares_->enter(out);
    in_share_ = true;
  }

  void leave_share(const loop::Expr& iteration, Statements& out) override {
    in_share_ = false;
    if (counted_) counted_->leave(iteration, counting_, out);
    else shares_->leave(iteration, out);
  }

  void after_sharing(const Sharing& sharing, Statements& out) override {
    if (counted_) return counted_->after(sharing, counting_, out);
    shares_->after([&](const loop::Expr& iteration,
                       const loop::Expr& entries) { return shift_edges(sharing, iteration, entries); },
                   out);
  }

  loop::Stmt iteration(const IndexVar& var, const Scope& scope,
                       const std::function<loop::Stmt(const Scope&)>& body) override {
    for (int k = 0; k <= last_; ++k)
      if (variable(k) == var)
        return k < first_ ? dense_iteration(k, scope, body) : compressed_iteration(k, scope, body);
    return body(scope);
  }

  void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
             Statements& out) override {
    Computed converted = value;
    converted.value = loop::convert(value.value, result().type);
    const loop::Expr condition = is_stored(converted);
    const loop::Var p = count(last_);
    const loop::Var vals = out_array(0, DescriptorField::Values);
    if (any_) {
      note_in_block(false, scope);
      const loop::Expr at = dense_position_of(target, scope, last_ + 1, result().format.order() - 1, p);
      const loop::Stmt put =
          loop::store(vals, at, converted.value, accumulate ? loop::StoreOp::Add : loop::StoreOp::Set);
      out.push_back(loop::if_then(condition, loop::block({stored(put), loop::assign(*any_, loop::Expr(true))})));
      return;
    }
    out.push_back(
        loop::if_then(condition, loop::block({reserves_each_ ? room(last_) : nullptr, store_coordinate(last_, scope),
                                              stored(loop::store(vals, p, converted.value)), loop::increment(p)})));
  }

  DenseValues dense_values(const Access&, bool adds, const Scope& scope) override {
    note_in_block(!adds, scope);
    return {out_array(0, DescriptorField::Values), last_ + 1, count(last_), loop::Expr(0),
            loop::assign(*any_, loop::Expr(true))};
  }

  /// Room for all that the innermost result loop may append is made before it, so that appending is three statements;
  /// where that is not known, it is made entry by entry.
  loop::Stmt before_loop(const IndexVar& var, const std::optional<loop::Expr>& most_iterations) override {
    const bool leaf = last_ + 1 == result().format.order() && variable(last_) == var;
    if (!leaf || counted_) return nullptr;
    reserves_each_ = !most_iterations.has_value();
    return reserves_each_ ? nullptr : growth(last_).reserve(*most_iterations);
  }

  void end() override {
    const loop::Var pos = out_array(first_, DescriptorField::Pos);
    loop::Expr parents(1);
    for (int k = 0; k < first_; ++k) parents = parents * loop::Expr(context_.extent(result().var, k));
    const auto position = [&](const loop::Var& p) { return loop::convert(loop::Expr(p), pos.type().scalar); };
    auto& before = context_.prologue;
    before.push_back(loop::allocate(pos, parents + loop::Expr(1), true));
    for (int k = first_; k <= last_; ++k) {
      before.push_back(loop::assign(counts_[index(k)], loop::Expr(0)));
      if (shares_ || counted_) continue;
      before.push_back(arrays_[index(k)].start(context_.stored_entries()));
      if (k > first_)
        before.push_back(loop::store(out_array(k, DescriptorField::Pos), loop::Expr(0),
                                     loop::constant(result().widths[static_cast<std::size_t>(k)].pos, 0)));
    }
    if (first_ == 0) context_.epilogue.push_back(loop::store(pos, loop::Expr(1), position(counts_[0])));
    if (first_ > 0 && skips_parents_) context_.epilogue.push_back(carry_forward(pos, parents));
  }

 private:
  /// The arrays that grow with the entries of each compressed level.
  std::vector<AppendedGroup> groups() {
    std::vector<AppendedGroup> groups;
    for (int k = first_; k <= last_; ++k) {
      AppendedGroup g{counts_[index(k)], {}};
      g.members.push_back({out_array(k, DescriptorField::Crd), loop::Expr(1), -1});
      if (k < last_) g.members.push_back({out_array(k + 1, DescriptorField::Pos), loop::Expr(1), k + 1 - first_});
      else g.members.push_back({out_array(0, DescriptorField::Values), block_size(), -1});
      groups.push_back(std::move(g));
    }
    return groups;
  }
  std::size_t index(int k) const { return static_cast<std::size_t>(k - first_); }
  loop::Var out_array(int level, DescriptorField field) {
    const loop::Var a = context_.array(result().var, level, field);
    context_.mark_out(a);
    // The edges of the first compressed level belong to its dense parents, which no two iterations share.
    const bool edges = field == DescriptorField::Pos && level == first_;
    return in_share_ && shares_ && !edges ? shares_->own(a) : a;
  }
  loop::Var count(int k) const {
    const loop::Var& all = counts_[index(k)];
    return !in_share_ ? all : counted_ ? counted_->own(all) : shares_->own(all);
  }
  /// What a pass that only counts leaves out.
  loop::Stmt stored(loop::Stmt store) const { return counting_ ? nullptr : std::move(store); }
  /// Clears the block of an entry, which may not be stored: then there may be none after those that are.
  loop::Stmt cleared(const loop::Stmt& clear) const {
    if (counting_ || !counted_) return stored(clear);
    return loop::if_then(loop::Expr(count(last_)) < counted_->most(counts_[index(last_)]), clear);
  }
  /// Room for one more entry.
  loop::Stmt room(int k) { return counted_ ? nullptr : growth(k).reserve(loop::Expr(1)); }
  const GrowingArrays& growth(int k) { return in_share_ ? shares_->growth(k - first_) : arrays_[index(k)]; }
  /// Dense parents of the first compressed level under one coordinate of the first variable.
  loop::Expr parents_a_coordinate() { return context_.extents(result().var, 1, first_); }
  /// The edges that one iteration of a parallel loop wrote count its own entries only.
  loop::Stmt shift_edges(const Sharing& sharing, const loop::Expr& iteration, const loop::Expr& entries) {
    if (first_ == 0) return nullptr;
    const loop::Var pos = out_array(first_, DescriptorField::Pos);
    const Window rows = sharing.stretch(iteration);
    const loop::Expr each = parents_a_coordinate();
    const auto parent = [&](const loop::Expr& row) { return times(row, each); };
    const loop::Var p = context_.fresh_index("p");
    return loop::for_loop(
        p, parent(rows.low), parent(rows.high),
        loop::store(pos, loop::Expr(p) + loop::Expr(1), loop::convert(entries, pos.type().scalar), loop::StoreOp::Add));
  }
  /// Values under one entry of the last compressed level.
  loop::Expr block_size() { return context_.extents(result().var, last_ + 1, result().format.order()); }
  loop::Stmt store_coordinate(int k, const Scope& scope) {
    const loop::Var crd = out_array(k, DescriptorField::Crd);
    return stored(loop::store(crd, count(k), loop::convert(scope.coordinate.at(variable(k)), crd.type().scalar)));
  }

  loop::Stmt dense_iteration(int k, const Scope& scope, const std::function<loop::Stmt(const Scope&)>& body) {
    Scope inner = scope;
    loop::Expr parent = scope.coordinate.at(variable(k));
    if (k > 0) parent = result_parent(scope) * loop::Expr(context_.extent(result().var, k)) + parent;
    inner.result_parent.insert_or_assign(result().var, parent);
    const loop::Stmt inside = body(inner);
    if (k + 1 < first_) return inside;
    skips_parents_ = skips_parents_ || !scope.covers;
    const loop::Var pos = out_array(first_, DescriptorField::Pos);
    return loop::block({inside, stored(loop::store(pos, parent + loop::Expr(1),
                                                   loop::convert(loop::Expr(count(first_)), pos.type().scalar)))});
  }

  loop::Stmt compressed_iteration(int k, const Scope& scope, const std::function<loop::Stmt(const Scope&)>& body) {
    if (k == last_) return last_ + 1 == result().format.order() ? body(scope) : block_iteration(scope, body);
    const loop::Var p = count(k);
    const loop::Var child = count(k + 1);
    const loop::Var begin = context_.fresh_index(child.name() + "_begin");
    const loop::Var pos = out_array(k + 1, DescriptorField::Pos);
    const loop::Stmt close =
        loop::block({room(k), store_coordinate(k, scope), loop::increment(p),
                     stored(loop::store(pos, p, loop::convert(loop::Expr(child), pos.type().scalar)))});
    return loop::block(
        {loop::declare(begin, child), body(scope), loop::if_then(loop::Expr(begin) < loop::Expr(child), close)});
  }

  /// An entry of the last compressed level with a dense block of values under it: kept when any of them is stored.
  loop::Stmt block_iteration(const Scope& scope, const std::function<loop::Stmt(const Scope&)>& body) {
    const loop::Var p = count(last_);
    const loop::Var any = context_.fresh("any", loop::scalar_type(Type::Bool));
    const loop::Expr begin = loop::Expr(p) * block_size();
    const loop::Stmt clear = loop::fill(out_array(0, DescriptorField::Values), begin, begin + block_size(),
                                        loop::Expr(Scalar::zero(result().type)));
    any_ = any;
    const auto [inside, is_zero_first] = block_body(scope, body);
    any_.reset();
    return loop::block({room(last_), is_zero_first ? cleared(clear) : nullptr, loop::declare(any, loop::Expr(false)),
                        inside, loop::if_then(any, loop::block({store_coordinate(last_, scope), loop::increment(p)}))});
  }

  int first_ = 0, last_ = 0;       // the compressed levels
  std::vector<loop::Var> counts_;  // entries so far, by compressed level
  std::vector<GrowingArrays> arrays_;
  std::optional<loop::Var> any_;
  bool skips_parents_ = false;
  bool reserves_each_ = false;  // in the innermost loop
  std::optional<SharedAppends> shares_;
  std::optional<CountedAppends> counted_;  // where arrays do not grow
  bool in_share_ = false;
};

}  // namespace

std::unique_ptr<Assembler> append_assembler(Context& context, const concrete::Tensor& result) {
  return std::make_unique<Append>(context, result);
}

}  // namespace lacuna

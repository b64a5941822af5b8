#include "lacuna/concrete/structure.h"
#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/assemble/prefix_sums.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Dense levels, then one compressed level: the nest runs twice, first counting the entries under each parent, then
/// storing them where the sums of the counts say. Parents may come in any order, on any thread; what is under one comes
/// together and in order (Ahrens, Kjolstad and Amarasinghe call this ungrouped insertion; TACO's assembly by
/// insertion).
class Insert final : public Assembler {
 public:
  Insert(Context& context, const concrete::Tensor& made) : Assembler(context, made) {
    last_ = result().format.order() - 1;
  }

  int passes() const override { return 2; }

  void begin() override {
    pos_ = out_array(last_, DescriptorField::Pos);
    count_ = context_.scalar(result().var, last_, DescriptorField::Positions);
    context_.mark_out(*count_);
    crd_ = out_array(last_, DescriptorField::Crd);
    values_ = out_array(0, DescriptorField::Values);
  }

  void enter_pass(int pass, Statements& out) override {
    if (pass == 0) {
      out.push_back(loop::comment("First the entries are counted."));
      out.push_back(loop::allocate(*pos_, parents() + loop::Expr(1), true));
    } else {
      sum_up(out);
    }
    if (last_ == 0) out.push_back(enter_parent(loop::Expr(0)));
  }

  void leave_pass(Statements& out) override {
    if (last_ == 0) out.push_back(leave_parent(loop::Expr(0)));
  }

  loop::Stmt iteration(const IndexVar& var, const Scope& scope,
                       const std::function<loop::Stmt(const Scope&)>& body) override {
    if (last_ == 0 || !(variable(last_ - 1) == var)) return body(scope);
    const loop::Expr parent = dense_position_of(access_, scope, 0, last_ - 1, loop::Expr(0));
    const loop::Stmt enter = enter_parent(parent);
    const loop::Stmt inside = body(scope);
    return loop::block({enter, inside, leave_parent(parent)});
  }

  void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
             Statements& out) override {
    internal_check(!accumulate, "an inserted entry is assigned once");
    Computed converted = value;
    converted.value = loop::convert(value.value, result().type);
    const loop::Expr condition = is_stored(converted);
    Statements stored;
    if (!counting_) {
      const IndexVar& v = target.indices[static_cast<std::size_t>(result().format.map().mode_of(last_))];
      stored.push_back(loop::store(*crd_, *next_, loop::convert(scope.coordinate.at(v), crd_->type().scalar)));
      stored.push_back(loop::store(*values_, *next_, converted.value));
    }
    stored.push_back(loop::increment(*next_));
    out.push_back(loop::if_then(condition, loop::block(std::move(stored))));
  }

  void end() override {}

 private:
  loop::Var out_array(int level, DescriptorField field) {
    const loop::Var a = context_.array(result().var, level, field);
    context_.mark_out(a);
    return a;
  }

  loop::Expr parents() { return context_.extents(result().var, 0, last_); }

  loop::Stmt enter_parent(const loop::Expr& parent) {
    next_ = context_.fresh_index(argument_name() + std::to_string(last_ + 1) + (counting_ ? "_n" : "_p"));
    return loop::declare(*next_, counting_ ? loop::Expr(0) : loop::convert(loop::load(*pos_, parent), Type::Int64));
  }

  loop::Stmt leave_parent(const loop::Expr& parent) {
    if (!counting_) return nullptr;
    return loop::store(*pos_, parent + loop::Expr(1), loop::convert(loop::Expr(*next_), pos_->type().scalar));
  }

  void sum_up(Statements& out) {
    out.push_back(loop::comment("Sums of the counts say where each parent's entries go."));
    if (context_.options().device) {
      add_up_prefixes(context_, {*pos_}, parents(), out);
      out.push_back(loop::assign(*count_, loop::convert(loop::load(*pos_, parents()), Type::Int64)));
    } else {
      add_up_counts(out);
    }
    out.push_back(loop::allocate(*crd_, *count_, false));
    out.push_back(loop::allocate(*values_, *count_, false));
  }

  void add_up_counts(Statements& out) {
    const loop::Var k = context_.fresh_index("k");
    const loop::Expr next = loop::Expr(k) + loop::Expr(1);
    out.push_back(loop::assign(*count_, loop::Expr(0)));
    out.push_back(loop::for_loop(
        k, loop::Expr(0), parents(),
        loop::block({loop::assign(*count_, loop::Expr(*count_) + loop::convert(loop::load(*pos_, next), Type::Int64)),
                     loop::store(*pos_, next, loop::convert(loop::Expr(*count_), pos_->type().scalar))})));
  }

  int last_ = 0;
  std::optional<loop::Var> pos_, count_, crd_, values_, next_;
};

}  // namespace

std::unique_ptr<Assembler> insert_assembler(Context& context, const concrete::Tensor& result) {
  return std::make_unique<Insert>(context, result);
}

}  // namespace lacuna

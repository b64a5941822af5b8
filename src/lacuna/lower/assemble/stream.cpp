#include "lacuna/concrete/structure.h"
#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/assemble/counted.h"
#include "lacuna/lower/assemble/growth.h"
#include "lacuna/lower/assemble/shares.h"

namespace lacuna {
namespace {

/// The universal fallback: (coordinates, value) in the order they are computed, with repetitions; sorted and coalesced
/// after the kernel. The result's descriptor is that of an unordered COO tensor: crd of every level, vals, and
/// positions of the first.
class Stream final : public Assembler {
 public:
  using Assembler::Assembler;

  int passes() const override { return context_.options().device ? 2 : 1; }

  void begin() override {
    const TensorVar& tensor = result().var;
    count_ = context_.scalar(tensor, 0, DescriptorField::Positions);
    context_.mark_out(*count_);
    arrays_.emplace(context_, argument_name(), *count_);
    for (int k = 0; k < result().format.order(); ++k) take(context_.array(tensor, k, DescriptorField::Crd));
    take(context_.array(tensor, 0, DescriptorField::Values));
    // Repetitions may cancel, and only an unstructural zero is dropped: where that depends on the entry, it is kept
    // beside it.
    if (concrete::structure_of(context_.program(), tensor) == concrete::Structure::Mixed) {
      flags_ = context_.array(tensor, 0, DescriptorField::Present);
      take(*flags_);
    }
    if (passes() > 1) counted_.emplace(context_, groups());
  }

  void enter_pass(int pass, Statements& out) override {
    if (pass > 0) counted_->allocate(out);
  }

  void store(const Access& target, bool, const Computed& value, const Scope& scope, Statements& out) override {
    Computed converted = value;
    converted.value = loop::convert(value.value, result().type);
    const loop::Expr condition = is_stored(converted);
    if (counting_) {
      out.push_back(loop::if_then(condition, loop::increment(own(*count_))));
      return;
    }
    Statements append{counted_ ? nullptr : growth().reserve(loop::Expr(1))};
    for (int k = 0; k < result().format.order(); ++k) {
      const loop::Var crd = own(context_.array(result().var, k, DescriptorField::Crd));
      const IndexVar& v = target.indices[static_cast<std::size_t>(result().format.map().mode_of(k))];
      append.push_back(loop::store(crd, own(*count_), loop::convert(scope.coordinate.at(v), crd.type().scalar)));
    }
    append.push_back(
        loop::store(own(context_.array(result().var, 0, DescriptorField::Values)), own(*count_), converted.value));
    const auto byte = [](int b) { return loop::constant(Type::UInt8, b); };
    if (flags_)
      append.push_back(loop::store(own(*flags_), own(*count_), loop::select(value.structural, byte(1), byte(0))));
    append.push_back(loop::increment(own(*count_)));
    out.push_back(loop::if_then(condition, loop::block(std::move(append))));
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
    shares_->after([](const loop::Expr&, const loop::Expr&) { return loop::Stmt(); }, out);
  }

  void end() override {
    context_.prologue.push_back(loop::assign(*count_, loop::Expr(0)));
    if (!shares_ && !counted_) context_.prologue.push_back(arrays_->start(context_.stored_entries()));
  }

 private:
  void take(const loop::Var& array) {
    context_.mark_out(array);
    arrays_->add(array);
    all_.push_back(array);
  }
  std::vector<AppendedGroup> groups() const {
    AppendedGroup group{*count_, {}};
    for (const loop::Var& array : all_) group.members.push_back({array, loop::Expr(1), -1});
    return {group};
  }
  loop::Var own(const loop::Var& whole) const {
    if (!in_share_) return whole;
    if (!counted_) return shares_->own(whole);
    return whole == *count_ ? counted_->own(whole) : whole;
  }
  const GrowingArrays& growth() { return in_share_ ? shares_->growth(0) : *arrays_; }

  std::optional<loop::Var> count_, flags_;
  std::optional<GrowingArrays> arrays_;
  std::vector<loop::Var> all_;
  std::optional<SharedAppends> shares_;
  std::optional<CountedAppends> counted_;  // where arrays do not grow
  bool in_share_ = false;
};

}  // namespace

std::unique_ptr<Assembler> stream_assembler(Context& context, const concrete::Tensor& result) {
  return std::make_unique<Stream>(context, result);
}

}  // namespace lacuna

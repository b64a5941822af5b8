#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// Every level is dense or a bitmap: values (and presence bytes) are stored at any coordinate, in any order. The arrays
/// come from the caller and are filled here first, unless every element is assigned exactly once.
class Random final : public Assembler {
 public:
  using Assembler::Assembler;

  void begin() override {
    values_ = context_.array(result().var, 0, DescriptorField::Values);
    context_.mark_written(*values_);
    for (int k = 0; k < result().format.order(); ++k)
      if (result().format.level(k).has_present())
        context_.mark_written(context_.array(result().var, k, DescriptorField::Present));
  }

  /// Where the one outermost loop runs through all of the first level, each iteration fills its own part: in parallel
  /// loops, and while it is in the cache.
  loop::Stmt iteration(const IndexVar& var, const Scope& scope,
                       const std::function<loop::Stmt(const Scope&)>& body) override {
    const loop::Stmt inside = body(scope);
    if (counting_ || !fills_parts(var, scope) || !needs_fill_) return inside;
    filled_in_parts_ = true;
    loop::Expr size(1);
    for (int k = 1; k < result().format.order(); ++k) size = size * loop::Expr(context_.extent(result().var, k));
    const loop::Expr part = dense_position(context_, result().var, 0, loop::Expr(0), scope.coordinate.at(var)) * size;
    return loop::block({loop::fill(*values_, part, part + size, loop::Expr(Scalar::zero(result().type))), inside});
  }

  void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
             Statements& out) override {
    if (counting_) return;
    const int order = result().format.order();
    const loop::Expr at = dense_position_of(target, scope, 0, order - 1, loop::Expr(0));
    Computed converted = value;
    converted.value = loop::convert(value.value, result().type);
    const bool full = result().format.is_dense();
    const loop::Expr condition = full ? value.present : is_stored(converted);
    Statements stores;
    const loop::Stmt one =
        loop::store(values(scope), at, converted.value, accumulate ? loop::StoreOp::Add : loop::StoreOp::Set);
    stores.push_back(scope.atomic.contains(result().var) ? loop::atomic(one) : one);
    for (int k = 0; k < order; ++k) {
      if (!result().format.level(k).has_present()) continue;
      const loop::Expr bit = dense_position_of(target, scope, 0, k, loop::Expr(0));
      stores.push_back(
          loop::store(context_.array(result().var, k, DescriptorField::Present), bit, loop::constant(Type::UInt8, 1)));
    }
    const bool other_seen = seen_ != nullptr && seen_ != &target;  // the same one may be lowered for parts of a loop
    needs_fill_ = needs_fill_ || accumulate || other_seen || !scope.covers || !loop::is_true(condition) ||
                  repeats_a_variable(target) || is_own(scope);
    seen_ = &target;
    out.push_back(loop::if_then(condition, loop::block(std::move(stores))));
  }

  DenseValues dense_values(const Access& target, bool adds, const Scope& scope) override {
    if (scope.atomic.contains(result().var))
      refuse("substitute",
             "threads add to {} one by one (Atomics), which BLAS does not; say Temporary, or run a loop over "
             "its own variables on threads",
             target.tensor.name());
    const bool other_seen = seen_ != nullptr && seen_ != &target;
    needs_fill_ = needs_fill_ || adds || other_seen || !scope.covers || is_own(scope);
    seen_ = &target;
    return {values(scope), 0, loop::Expr(0), loop::Expr(0)};
  }

  void end() override {
    if ((!needs_fill_ && seen_ != nullptr) || filled_in_parts_) return;
    const int order = result().format.order();
    loop::Expr count(1);
    for (int k = 0; k < order; ++k) {
      count = count * loop::Expr(context_.extent(result().var, k));
      if (result().format.level(k).has_present())
        context_.prologue.push_back(loop::fill(context_.array(result().var, k, DescriptorField::Present), loop::Expr(0),
                                               count, loop::constant(Type::UInt8, 0)));
    }
    context_.prologue.push_back(loop::fill(*values_, loop::Expr(0), count, loop::Expr(Scalar::zero(result().type))));
  }

 private:
  loop::Var values(const Scope& scope) const {
    const auto own = scope.own_values.find(result().var);
    return own == scope.own_values.end() ? *values_ : own->second;
  }

  bool fills_parts(const IndexVar& var, const Scope& scope) const {
    const Access& target = access_;
    const auto* outermost = std::get_if<concrete::Forall>(&context_.program().root->kind);
    const int mode = result().format.order() > 1 ? result().format.map().mode_of(0) : -1;
    return mode >= 0 && result().format.is_dense() && !repeats_a_variable(target) && outermost != nullptr &&
           outermost->var == var && !is_shared_by_threads(*outermost) &&
           target.indices[static_cast<std::size_t>(mode)] == var && scope.covers && !is_own(scope);
  }

  /// Whether a thread stores to values of its own, which are added to the result in the end.
  bool is_own(const Scope& scope) const { return scope.own_values.contains(result().var); }

  /// Blocks and warps fill with one thread and add with others.
  static bool is_shared_by_threads(const concrete::Forall& f) {
    return f.how.unit == concrete::Unit::GpuBlock || f.how.unit == concrete::Unit::GpuWarp;
  }

  static bool repeats_a_variable(const Access& target) {
    for (std::size_t a = 0; a < target.indices.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (target.indices[a] == target.indices[b]) return true;
    return false;
  }

  std::optional<loop::Var> values_;
  bool filled_in_parts_ = false;
  bool needs_fill_ = false;
  const Access* seen_ = nullptr;  // the target that was stored to
};

}  // namespace

std::unique_ptr<Assembler> random_assembler(Context& context, const concrete::Tensor& result) {
  return std::make_unique<Random>(context, result);
}

}  // namespace lacuna

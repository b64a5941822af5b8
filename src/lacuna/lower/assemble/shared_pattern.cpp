#include "lacuna/concrete/structure.h"
#include "lacuna/lower/assemble/assembler.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// The result has the coordinates of the first levels of one operand, whose arrays it shares: only values are computed,
/// one a position of these levels, or a block of dense levels under each; or one in each element of a copy of its
/// nodes.
class SharedPattern final : public Assembler {
 public:
  SharedPattern(Context& context, const concrete::Tensor& made)
      : Assembler(context, made), levels_(made.pattern_levels) {}

  void begin() override {
    if (result().format.has_values_in_nodes()) return begin_nodes();
    values_ = context_.array(result().var, 0, DescriptorField::Values);
    context_.mark_written(*values_);
  }

  /// A block is cleared when its position is known, and added to in the loops inside. Loops that other results share
  /// come to coordinates, too, that the operand does not store: nothing is added there.
  loop::Stmt iteration(const IndexVar& var, const Scope& scope,
                       const std::function<loop::Stmt(const Scope&)>& body) override {
    if (counting_ || !has_blocks() || !(var == variable(levels_ - 1))) return body(scope);
    const loop::Var block = context_.fresh_index("block");
    const loop::Expr present = handle(scope).present;
    const loop::Expr begin = where_present(handle(scope), position(scope) * block_size(), loop::Expr(0));
    block_ = block;
    const auto [inside, is_zero_first] = block_body(scope, body);
    block_.reset();
    const loop::Expr first(block);
    const loop::Stmt clear = loop::fill(*values_, first, first + block_size(), loop::Expr(Scalar::zero(result().type)));
    return loop::block({loop::declare(block, begin), is_zero_first ? loop::if_then(present, clear) : nullptr, inside});
  }

  void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
             Statements& out) override {
    if (counting_) return;
    const loop::Expr converted = loop::convert(value.value, result().type);
    if (has_blocks()) {
      note_in_block(false, scope);
      const int order = result().format.order();
      const loop::Expr at = *block_ + dense_position_of(target, scope, levels_, order - 1, loop::Expr(0));
      out.push_back(loop::if_then(
          value.present, loop::store(*values_, at, converted, accumulate ? loop::StoreOp::Add : loop::StoreOp::Set)));
      return;
    }
    internal_check(!accumulate, "a shared pattern is assigned once");
    // Every stored position is visited and assigned; an absent value (a sum over nothing) is zero.
    const loop::Expr zero(Scalar::zero(result().type));
    const loop::Expr v = loop::is_true(value.present) ? converted : loop::select(value.present, converted, zero);
    if (values_) out.push_back(loop::store(*values_, position(scope), v));
    else out.push_back(store_in_nodes(handle(scope), v));
  }

  DenseValues dense_values(const Access&, bool adds, const Scope& scope) override {
    note_in_block(!adds, scope);
    return {*values_, levels_, loop::Expr(0), *block_};
  }

  void end() override {}

 private:
  bool has_blocks() const { return levels_ < result().format.order(); }
  /// The result's nodes are a copy of the operand's, in which the values are replaced (Figure 12 of the paper on
  /// dynamic tensors); references are indices, so that a copy of the memory is one of the structure.
  void begin_nodes() {
    const int last = result().format.order() - 1;
    nodes_ = &context_.dynamic_level(result().var, last);
    const dynamic::Structure& structure = nodes_->structure();
    for (std::size_t k = 0; k < structure.layout.arrays; ++k) context_.mark_written(structure.array(k));
  }

  loop::Stmt store_in_nodes(const Handle& at, const loop::Expr& value) const {
    if (at.slot) return dynamic::store_value(nodes_->structure(), *at.slot, value);
    return dynamic::store_value(nodes_->structure(), *at.place, value);
  }

  loop::Expr position(const Scope& scope) const { return handle(scope).pos; }

  /// Where the operand's path stands when the coordinates of the shared levels are known, and no more.
  const Handle& handle(const Scope& scope) const {
    for (std::size_t p = 0; p < context_.paths().size(); ++p) {
      const Path& path = context_.paths()[p];
      if (path.tensor.name() == result().pattern_operand && leads_to_result(path) && scope.paths[p].level == levels_)
        return scope.paths[p].at;
    }
    throw InternalError("internal error: the operand whose pattern is shared is not accessed as the result is");
  }

  bool leads_to_result(const Path& path) const {
    for (int k = 0; k < levels_; ++k)
      if (!(path.variables[static_cast<std::size_t>(k)] == variable(k))) return false;
    return true;
  }

  loop::Expr block_size() {
    loop::Expr size(1);
    for (int k = levels_; k < result().format.order(); ++k) size = size * loop::Expr(context_.extent(result().var, k));
    return size;
  }

  int levels_;
  std::optional<loop::Var> values_;               // none where they are in nodes,
  const dynamic::DynamicLevel* nodes_ = nullptr;  // those of this level
  std::optional<loop::Var> block_;                // where the values under the entry at hand begin
};

}  // namespace

std::unique_ptr<Assembler> shared_pattern_assembler(Context& context, const concrete::Tensor& result) {
  return std::make_unique<SharedPattern>(context, result);
}

}  // namespace lacuna

#include "lacuna/lower/assemble/assembler.h"

namespace lacuna {
namespace {

/// The result has the coordinates of one operand, whose arrays it shares: only values are computed, at the operand's
/// positions.
class SharedPattern final : public Assembler {
 public:
  using Assembler::Assembler;

  void begin() override {
    values_ = context_.array(result().var, 0, DescriptorField::Values);
    context_.mark_written(*values_);
  }

  void store(const Access& target, bool accumulate, const Computed& value, const Scope& scope,
             Statements& out) override {
    internal_check(!accumulate, "a shared pattern is assigned once");
    for (std::size_t p = 0; p < context_.paths().size(); ++p) {
      const Path& path = context_.paths()[p];
      if (path.tensor.name() != context_.program().pattern_operand || !is_at(path, target)) continue;
      // Every stored position is visited and assigned; an absent value (a sum over nothing) is zero.
      const loop::Expr zero(Scalar::zero(value.value.scalar()));
      const loop::Expr v = loop::is_true(value.present) ? value.value : loop::select(value.present, value.value, zero);
      out.push_back(loop::store(*values_, scope.paths[p].at.pos, loop::convert(v, result().type)));
      return;
    }
    throw InternalError("internal error: the operand whose pattern is shared is not accessed as the result is");
  }

  void end() override {}

 private:
  /// Whether the path leads to the coordinates of the target.
  bool is_at(const Path& path, const Access& target) const {
    for (std::size_t k = 0; k < path.variables.size(); ++k) {
      const int mode = result().format.map().mode_of(static_cast<int>(k));
      if (!(path.variables[k] == target.indices[static_cast<std::size_t>(mode)])) return false;
    }
    return true;
  }

  std::optional<loop::Var> values_;
};

}  // namespace

std::unique_ptr<Assembler> shared_pattern_assembler(Context& context) {
  return std::make_unique<SharedPattern>(context);
}

}  // namespace lacuna

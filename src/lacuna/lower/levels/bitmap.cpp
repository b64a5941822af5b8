#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// As dense, with one byte a child that says whether it is stored.
class Bitmap final : public LevelCode {
 public:
  Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                Statements& out) const override {
    const loop::Var pos = context.fresh_index(at.position_name());
    const loop::Expr child = dense_position(context, at.path.tensor, at.level, parent.pos, coordinate);
    out.push_back(loop::declare(pos, where_present(parent, child, loop::Expr(0))));
    const loop::Expr stored = loop::ne(context.element(at.path.tensor, at.level, DescriptorField::Present, pos),
                                       loop::constant(Type::UInt8, 0));
    const loop::Var has = context.fresh("has_" + at.position_name().substr(1), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(has, parent.present && stored));
    return {pos, {}, has};
  }
};

}  // namespace

const LevelCode& bitmap_level() {
  static const Bitmap code;
  return code;
}

}  // namespace lacuna

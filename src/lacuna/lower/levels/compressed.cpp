#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// Children of p are the positions [pos[p], pos[p+1]), with coordinates crd[…].
class Compressed final : public LevelCode {
 public:
  std::pair<loop::Expr, loop::Expr> range(Context& context, const LevelAt& at, const Handle& parent) const override {
    const auto bound = [&](const loop::Expr& p) {
      return where_present(parent, context.element(at.path.tensor, at.level, DescriptorField::Pos, p), loop::Expr(0));
    };
    return {bound(parent.pos), bound(parent.pos + loop::Expr(1))};
  }

  Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                Statements& out) const override {
    const auto [low, high] = range(context, at, parent);
    const loop::Var end = context.fresh_index(at.position_name() + "_limit");
    out.push_back(loop::declare(end, high));
    return search(context, at, low, end, coordinate, out);
  }
};

}  // namespace

const LevelCode& compressed_level() {
  static const Compressed code;
  return code;
}

}  // namespace lacuna

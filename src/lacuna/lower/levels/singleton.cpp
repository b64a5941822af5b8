#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// One child a parent position, at the same position. Under a level that is not unique the parent is a range, and so
/// are the children.
class Singleton final : public LevelCode {
 public:
  std::pair<loop::Expr, loop::Expr> range(Context&, const LevelAt&, const Handle& parent) const override {
    const loop::Expr end = parent.is_range() ? parent.end : parent.pos + loop::Expr(1);
    return {where_present(parent, parent.pos, loop::Expr(0)), where_present(parent, end, loop::Expr(0))};
  }

  Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                Statements& out) const override {
    if (!parent.is_range()) {
      const loop::Expr hit = parent.present && loop::eq(stored_coordinate(context, at, parent.pos), coordinate);
      return {parent.pos, {}, hit};
    }
    const auto [low, high] = range(context, at, parent);
    return search(context, at, low, high, coordinate, out);
  }
};

}  // namespace

const LevelCode& singleton_level() {
  static const Singleton code;
  return code;
}

}  // namespace lacuna

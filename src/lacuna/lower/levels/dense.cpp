#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// No arrays: child = parent*extent + (c - origin), always present under a present parent.
class Dense final : public LevelCode {
 public:
  Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                Statements&) const override {
    return {dense_position(context, at.path.tensor, at.level, parent.pos, coordinate), {}, parent.present};
  }
};

}  // namespace

const LevelCode& dense_level() {
  static const Dense code;
  return code;
}

}  // namespace lacuna

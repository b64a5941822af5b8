#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// Nodes are come to one after the other (visits.cpp).
class Dynamic final : public LevelCode {
 public:
  bool walks() const override { return true; }
  Handle locate(Context&, const LevelAt& at, const Handle&, const loop::Expr&, Statements&) const override {
    user_error(
        "{} is read at coordinates that other loops decide, and its level {}, {}, is walked from the first element to "
        "the last; reorder the loops, or convert {} to a format of arrays",
        at.path.tensor.name(), at.level + 1, at.format.name(), at.path.tensor.name());
  }
};

}  // namespace

const LevelCode& dynamic_level_code() {
  static const Dynamic code;
  return code;
}

}  // namespace lacuna

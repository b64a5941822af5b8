#include "lacuna/lower/nest/positions.h"

#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {

loop::Expr coordinate_at(Context& context, const LevelAt& at, const loop::Expr& position) {
  if (at.workspace != nullptr) return at.workspace->coordinate(at.level, position);
  return stored_coordinate(context, at, position);
}

loop::Expr first_position(Context& context, const LevelAt& at, const loop::Expr& low, const loop::Expr& high,
                          const loop::Expr& coordinate, const Scope& scope, bool near) {
  if (at.workspace != nullptr) return at.workspace->lower_bound(at, low, high, coordinate, scope, near);
  return context.lower_bound(at.path.tensor, at.level, DescriptorField::Crd, low, high, coordinate, near);
}

}  // namespace lacuna

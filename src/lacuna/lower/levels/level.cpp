#include "lacuna/lower/levels/level.h"

#include "lacuna/support/check.h"

namespace lacuna {

std::string LevelAt::position_name() const { return fmt::format("p{}{}", path.tensor.name(), level + 1); }

std::pair<loop::Expr, loop::Expr> LevelCode::range(Context&, const LevelAt& at, const Handle&) const {
  throw InternalError("internal error: level " + at.position_name() + " has no cursor");
}

const LevelCode& level_code(LevelKind kind) {
  switch (kind) {
    case LevelKind::Dense: return dense_level();
    case LevelKind::Compressed: return compressed_level();
    case LevelKind::Singleton: return singleton_level();
    case LevelKind::Bitmap: return bitmap_level();
    case LevelKind::Hashed: return hashed_level();
    case LevelKind::Dynamic: return dynamic_level_code();
  }
  throw InternalError("internal error: a level kind without code");
}

loop::Expr stored_coordinate(Context& context, const LevelAt& at, const loop::Expr& position) {
  return context.element(at.path.tensor, at.level, DescriptorField::Crd, position);
}

loop::Expr where_present(const Handle& handle, const loop::Expr& if_present, const loop::Expr& otherwise) {
  return loop::is_true(handle.present) ? if_present : loop::select(handle.present, if_present, otherwise);
}

loop::Expr dense_position(Context& context, const TensorVar& tensor, int level, const loop::Expr& parent,
                          const loop::Expr& coordinate) {
  loop::Expr offset = coordinate;
  if (context.program().at(tensor).piece) offset = offset - context.scalar(tensor, level, DescriptorField::Origin);
  if (loop::is_constant(parent, 0)) return offset;
  return parent * context.extent(tensor, level) + offset;
}

Handle search(Context& context, const LevelAt& at, const loop::Expr& low, const loop::Expr& high,
              const loop::Expr& coordinate, Statements& out) {
  const TensorVar& tensor = at.path.tensor;
  internal_check(at.format.ordered, "a search in the unordered level {} of {}", at.level + 1, tensor.name());
  const auto find = [&](const loop::Expr& from, const loop::Expr& key) {
    return context.lower_bound(tensor, at.level, DescriptorField::Crd, from, high, key);
  };
  const loop::Var pos = context.fresh_index(at.position_name());
  out.push_back(loop::declare(pos, find(low, coordinate)));
  if (at.format.unique) {
    const loop::Expr hit = loop::Expr(pos) < high && loop::eq(stored_coordinate(context, at, pos), coordinate);
    const loop::Var has = context.fresh("has_" + at.position_name().substr(1), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(has, hit));
    return {pos, {}, has};
  }
  const loop::Var end = context.fresh_index(at.position_name() + "_end");
  out.push_back(loop::declare(end, find(pos, coordinate + loop::Expr(1))));
  return {pos, end, loop::Expr(pos) < loop::Expr(end)};
}

}  // namespace lacuna

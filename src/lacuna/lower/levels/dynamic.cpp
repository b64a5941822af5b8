#include "lacuna/dynamic/lower/dynamic_level.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Nodes are come to one after the other (visits.cpp), or searched by the level's own `find`.
class Dynamic final : public LevelCode {
 public:
  Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                Statements& out) const override {
    const TensorVar& tensor = at.path.tensor;
    const dynamic::DynamicLevel& level = context.dynamic_level(tensor, at.level);
    if (!level.has("find"))
      user_error(
          "{} is read at coordinates that other loops decide, and its level {}, {}, has no find; reorder the loops, or "
          "convert {} to a format of arrays",
          tensor.name(), at.level + 1, at.format.name(), tensor.name());
    const dynamic::Structure& structure = level.structure();
    const std::string name = at.position_name().substr(1);
    const loop::Var place = context.fresh_index("place" + name);
    const loop::Expr root = loop::as_ref(loop::convert(parent.pos, Type::UInt32), level.root_type().record);
    const loop::Stmt find =
        loop::assign(place, level.call("find", {root, loop::convert(coordinate, structure.types.coordinate)}));
    out.push_back(loop::declare(place, dynamic::nothing));
    out.push_back(loop::if_then(parent.present, find));
    return found(context, at, place, out);
  }

 private:
  /// The entry at a place, if any: what it leads to or holds is read only where there is one.
  static Handle found(Context& context, const LevelAt& at, const loop::Var& place, Statements& out) {
    const concrete::Tensor& tensor = context.program().at(at.path.tensor);
    const dynamic::Structure& structure = context.dynamic_level(at.path.tensor, at.level).structure();
    const loop::Expr value = dynamic::value_at(structure, place);
    Handle handle{loop::Expr(0), {}, !dynamic::is_nothing(place), {}};
    handle.place = place;
    if (at.level + 1 == tensor.format.order()) {
      const loop::Expr none(Scalar::zero(tensor.type));
      handle.value = loop::select(handle.present, value, none);
      return handle;
    }
    const bool root = tensor.format.level(at.level + 1).is_dynamic();
    const loop::Expr child = loop::convert(root ? loop::convert(value, Type::UInt32) : value, Type::Int64);
    const loop::Var p = context.fresh_index(at.position_name());
    out.push_back(loop::declare(p, loop::select(handle.present, child, loop::Expr(0))));
    handle.pos = p;
    return handle;
  }
};

}  // namespace

const LevelCode& dynamic_level_code() {
  static const Dynamic code;
  return code;
}

}  // namespace lacuna

#include "lacuna/lower/context/hash.h"
#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

/// Open addressing with linear probing in the parent's slots [pos[p], pos[p+1]); the hash is part of the kernel ABI
/// (tensor/hash.h).
class Hashed final : public LevelCode {
 public:
  Handle locate(Context& context, const LevelAt& at, const Handle& parent, const loop::Expr& coordinate,
                Statements& out) const override {
    const TensorVar& tensor = at.path.tensor;
    const auto bound = [&](const loop::Expr& p) {
      return where_present(parent, context.element(tensor, at.level, DescriptorField::Pos, p), loop::Expr(0));
    };
    const std::string name = at.position_name();
    const loop::Var begin = context.fresh_index(name + "_begin");
    const loop::Var slots = context.fresh_index(name + "_slots");
    const loop::Var pos = context.fresh_index(name);
    const loop::Var has = context.fresh("has_" + name.substr(1), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(begin, bound(parent.pos)));
    out.push_back(loop::declare(slots, bound(parent.pos + loop::Expr(1)) - loop::Expr(begin)));
    out.push_back(loop::declare(pos, loop::Expr(begin)));
    out.push_back(loop::declare(has, loop::Expr(false)));
    out.push_back(
        loop::if_then(loop::ne(slots, loop::Expr(0)), probe(context, at, begin, slots, pos, has, coordinate)));
    return {pos, {}, has};
  }

 private:
  /// At most `slots` steps, so that a table without an empty slot ends, too.
  static loop::Stmt probe(Context& context, const LevelAt& at, const loop::Var& begin, const loop::Var& slots,
                          const loop::Var& pos, const loop::Var& has, const loop::Expr& coordinate) {
    const std::string name = at.position_name();
    const loop::Var slot = context.fresh_index(name + "_probe");
    const loop::Var key = context.fresh_index(name + "_key");
    const loop::Var step = context.fresh_index(name + "_step");
    const loop::Expr mask = loop::Expr(slots) - loop::Expr(1);
    Statements body{
        loop::declare(key, stored_coordinate(context, at, loop::Expr(begin) + loop::Expr(slot))),
        loop::if_then(loop::eq(key, coordinate),
                      loop::block({loop::assign(pos, loop::Expr(begin) + loop::Expr(slot)),
                                   loop::assign(has, loop::Expr(true)), loop::break_loop()})),
        loop::if_then(loop::Expr(key) < loop::Expr(0), loop::break_loop()),
        loop::assign(slot, loop::bit_and(loop::Expr(slot) + loop::Expr(1), mask)),
    };
    return loop::block({loop::declare(slot, hash_slot(coordinate, mask)),
                        loop::for_loop(step, loop::Expr(0), slots, loop::block(std::move(body)))});
  }
};

}  // namespace

const LevelCode& hashed_level() {
  static const Hashed code;
  return code;
}

}  // namespace lacuna

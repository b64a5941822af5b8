#include "lacuna/lower/workspace/arrays.h"

namespace lacuna {

void MarkedArrays::declare_arrays(bool with_list, Statements& before, Statements& after) {
  before.push_back(loop::declare_array(values_));
  before.push_back(loop::allocate(values_, size(), false));
  after.push_back(loop::release(values_));
  if (with_list) {
    declare_list(size(), before);
    after.push_back(loop::release(*list_));
  }
  mark_ = context_.fresh(name() + "_mark", loop::array_type(Type::UInt8));
  before.push_back(loop::declare_array(*mark_));
  before.push_back(loop::allocate(*mark_, size(), true));
  after.push_back(loop::release(*mark_));
  if (with_list) before.push_back(loop::declare(*count_, loop::Expr(0)));
}

void MarkedArrays::place(const loop::Expr& key, const AtNewEntry& first, const AtPosition& again,
                         Statements& out) const {
  const loop::Expr at = named(key, out);
  out.push_back(loop::if_then(loop::eq(loop::load(*mark_, at), byte(0)), first(at, at), again(at)));
}

loop::Stmt MarkedArrays::each_marked(const AtPosition& body) const {
  const loop::Var key = context_.fresh_index("k");
  return loop::for_loop(key, loop::Expr(0), size(),
                        loop::if_then(loop::ne(loop::load(*mark_, key), byte(0)), body(key)));
}

std::pair<loop::Expr, loop::Expr> MarkedArrays::locate(const loop::Expr& key, Statements& out) const {
  const loop::Expr at = named(key, out);
  const loop::Var has = context_.fresh("has_" + name(), loop::scalar_type(Type::Bool));
  out.push_back(loop::declare(has, loop::ne(loop::load(*mark_, at), byte(0))));
  return {at, has};
}

}  // namespace lacuna

#include "lacuna/lower/workspace.h"

#include "lacuna/lower/structure.h"

namespace lacuna {
namespace {

loop::Expr byte(int value) { return loop::constant(Type::UInt8, value); }

}  // namespace

void declare_workspace(Context& context, const concrete::Tensor& workspace, Statements& before, Statements& after) {
  const std::string& name = workspace.var.name();
  const Type crd = workspace.widths.front().crd;
  WorkspaceState w{context.fresh(name, loop::array_type(workspace.type)),
                   context.fresh(name + "_list", loop::array_type(crd)),
                   context.fresh(name + "_mark", loop::array_type(Type::UInt8)), context.fresh_index(name + "_count")};
  const Access result = result_access(context.program());
  const IndexVar& var = result.indices[static_cast<std::size_t>(
      context.program().result().format.map().mode_of(context.program().result().format.order() - 1))];
  const loop::Expr size = context.high(var);
  for (const loop::Var& array : {w.values, w.list, w.mark}) {
    before.push_back(loop::declare_array(array));
    before.push_back(loop::allocate(array, size, array == w.mark));
  }
  before.push_back(loop::declare(w.count, loop::Expr(0)));
  for (const loop::Var& array : {w.values, w.list, w.mark}) after.push_back(loop::release(array));
  context.workspaces.emplace(workspace.var, w);
}

void accumulate_workspace(Context& context, const Access& target, const Computed& value, const Scope& scope,
                          Statements& out) {
  const WorkspaceState& w = context.workspaces.at(target.tensor);
  const concrete::Tensor& t = context.program().at(target.tensor);
  const loop::Expr at = scope.coordinate.at(target.indices[0]);
  const bool mixed = structure_of(context.program(), target.tensor) == Structure::Mixed;
  const loop::Expr v = loop::convert(value.value, t.type);
  const loop::Expr mark = mixed ? loop::select(value.structural, byte(3), byte(1)) : byte(1);
  Statements first{loop::store(w.mark, at, mark), loop::store(w.list, w.count, loop::convert(at, w.list.type().scalar)),
                   loop::increment(w.count), loop::store(w.values, at, v)};
  Statements again{loop::store(w.values, at, v, loop::StoreOp::Add)};
  if (mixed) again.push_back(loop::store(w.mark, at, mark, loop::StoreOp::Or));
  const loop::Stmt touch = loop::if_then(loop::eq(loop::load(w.mark, at), byte(0)), loop::block(std::move(first)),
                                         loop::block(std::move(again)));
  out.push_back(loop::if_then(value.present, touch));
}

void drain_workspace(Context& context, const TensorVar& workspace, const IndexVar& var,
                     const std::function<loop::Stmt(const loop::Expr&)>& body, Statements& out) {
  const WorkspaceState& w = context.workspaces.at(workspace);
  const loop::Var p = context.fresh_index("p" + workspace.name());
  const loop::Var v = context.fresh_index(var.name());
  out.push_back(loop::sort(w.list, loop::Expr(0), w.count));
  out.push_back(loop::for_loop(p, loop::Expr(0), w.count,
                               loop::block({loop::declare(v, loop::convert(loop::load(w.list, p), Type::Int64)),
                                            body(v), loop::store(w.mark, v, byte(0))})));
  out.push_back(loop::assign(w.count, loop::Expr(0)));
}

}  // namespace lacuna

#include "lacuna/lower/workspace.h"

#include "lacuna/lower/structure.h"

namespace lacuna {
namespace {

loop::Expr byte(int value) { return loop::constant(Type::UInt8, value); }

/// Calls `visit` for every where of a statement.
template <typename F>
void each_where(const concrete::Stmt& s, const F& visit) {
  concrete::match(
      s, [&](const concrete::Forall& f) { each_where(f.body, visit); },
      [&](const concrete::Where& w) {
        visit(w);
        each_where(w.consumer, visit);
        each_where(w.producer, visit);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) each_where(x, visit);
      });
}

/// Whether the workspace is read once for each time it is filled, by the loop that drains it.
bool is_only_drained(const concrete::Program& program, const TensorVar& workspace) {
  int reads = 0, drains = 0;
  each_assign(program.root, [&](const concrete::Assign& a) {
    for (const Access& x : accesses(a.rhs)) reads += x.tensor == workspace ? 1 : 0;
  });
  each_where(program.root, [&](const concrete::Where& w) {
    const auto* f = std::get_if<concrete::Forall>(&w.consumer->kind);
    drains += f != nullptr && drained_by(program, *f) == workspace ? 1 : 0;
  });
  return reads == 1 && drains == 1;
}

/// The variables that the producer adds by.
std::vector<IndexVar> producing_variables(const concrete::Program& program, const TensorVar& workspace) {
  std::vector<IndexVar> variables;
  each_assign(program.root, [&](const concrete::Assign& a) {
    if (a.target.tensor == workspace) variables = a.target.indices;
  });
  return variables;
}

/// Row by row, modes in their own order.
loop::Expr position_of(const WorkspaceState& w, const Access& access, const Scope& scope) {
  loop::Expr at(0);
  for (std::size_t m = 0; m < access.indices.size(); ++m) {
    loop::Expr offset = scope.coordinate.at(access.indices[m]);
    if (!loop::is_constant(w.first[m], 0)) offset = offset - w.first[m];
    at = m == 0 ? offset : at * w.extent[m] + offset;
  }
  return at;
}

loop::Expr size_of(const WorkspaceState& w) {
  loop::Expr size(1);
  for (const loop::Expr& e : w.extent) size = loop::is_constant(size, 1) ? e : size * e;
  return size;
}

}  // namespace

std::optional<TensorVar> drained_by(const concrete::Program& program, const concrete::Forall& f) {
  const auto* assign = std::get_if<concrete::Assign>(&f.body->kind);
  if (assign == nullptr || f.how.unit != concrete::Unit::Serial || program.provenance.is_derived(f.var) ||
      program.provenance.replaced_by(f.var) != nullptr)
    return std::nullopt;
  const auto* read = as<Access>(assign->rhs);
  if (read == nullptr || program.at(read->tensor).role != concrete::Role::Workspace) return std::nullopt;
  const bool whole = read->indices.size() == 1 && read->indices[0] == f.var;
  return whole ? std::optional(read->tensor) : std::nullopt;
}

WorkspaceState declare_workspace(Context& context, const concrete::Tensor& workspace, Statements& before,
                                 Statements& after) {
  const std::string& name = workspace.var.name();
  WorkspaceState w{context.fresh(name, loop::array_type(workspace.type)),
                   context.fresh(name + "_mark", loop::array_type(Type::UInt8)),
                   {},
                   {},
                   {},
                   {}};
  for (const IndexVar& v : producing_variables(context.program(), workspace.var)) {
    w.first.push_back(context.low(v));
    w.extent.push_back(loop::is_constant(w.first.back(), 0) ? context.high(v) : context.high(v) - w.first.back());
  }
  std::vector<loop::Var> arrays{w.values};
  if (is_only_drained(context.program(), workspace.var)) {
    w.list = context.fresh(name + "_list", loop::array_type(workspace.widths.front().crd));
    w.count = context.fresh_index(name + "_count");
    arrays.push_back(*w.list);
  }
  arrays.push_back(w.mark);
  const loop::Expr size = size_of(w);
  for (const loop::Var& array : arrays) {
    before.push_back(loop::declare_array(array));
    before.push_back(loop::allocate(array, size, array == w.mark));
  }
  if (w.count) before.push_back(loop::declare(*w.count, loop::Expr(0)));
  for (const loop::Var& array : arrays) after.push_back(loop::release(array));
  return w;
}

void clear_workspace(const WorkspaceState& w, Statements& out) {
  if (!w.list) out.push_back(loop::fill(w.mark, loop::Expr(0), size_of(w), byte(0)));
}

void accumulate_workspace(Context& context, const Access& target, const Computed& value, const Scope& scope,
                          Statements& out) {
  const WorkspaceState& w = scope.workspaces.at(target.tensor);
  const concrete::Tensor& t = context.program().at(target.tensor);
  loop::Expr at = position_of(w, target, scope);
  if (target.indices.size() != 1) {
    const loop::Var named = context.fresh_index("p" + target.tensor.name());
    out.push_back(loop::declare(named, at));
    at = named;
  }
  const bool mixed = structure_of(context.program(), target.tensor) == Structure::Mixed;
  const loop::Expr v = loop::convert(value.value, t.type);
  const loop::Expr mark = mixed ? loop::select(value.structural, byte(3), byte(1)) : byte(1);
  Statements first{loop::store(w.mark, at, mark)};
  if (w.list) {
    const loop::Expr coordinate = scope.coordinate.at(target.indices[0]);
    first.push_back(loop::store(*w.list, *w.count, loop::convert(coordinate, w.list->type().scalar)));
    first.push_back(loop::increment(*w.count));
  }
  first.push_back(loop::store(w.values, at, v));
  Statements again{loop::store(w.values, at, v, loop::StoreOp::Add)};
  if (mixed) again.push_back(loop::store(w.mark, at, mark, loop::StoreOp::Or));
  const loop::Stmt touch = loop::if_then(loop::eq(loop::load(w.mark, at), byte(0)), loop::block(std::move(first)),
                                         loop::block(std::move(again)));
  out.push_back(loop::if_then(value.present, touch));
}

Computed read_workspace(Context& context, const Access& access, const Scope& scope) {
  const WorkspaceState& w = scope.workspaces.at(access.tensor);
  const loop::Expr at = position_of(w, access, scope);
  const loop::Expr present = w.list ? loop::Expr(true) : loop::ne(loop::load(w.mark, at), byte(0));
  const Structure structure = structure_of(context.program(), access.tensor);
  if (structure != Structure::Mixed)
    return {loop::load(w.values, at), present, loop::Expr(structure == Structure::Always)};
  const loop::Expr mark = loop::bit_and(loop::load(w.mark, at), byte(2));
  return {loop::load(w.values, at), present, loop::ne(mark, byte(0))};
}

void drain_workspace(Context& context, const TensorVar& workspace, const concrete::Forall& f, const Scope& scope,
                     const std::function<loop::Stmt(const loop::Expr&)>& body, Statements& out) {
  const WorkspaceState& w = scope.workspaces.at(workspace);
  const loop::Var p = context.fresh_index("p" + workspace.name());
  const loop::Var v = context.fresh_index(f.var.name());
  loop::LoopOptions options;
  options.unroll = f.how.unroll;
  const loop::Expr at = loop::is_constant(w.first[0], 0) ? loop::Expr(v) : loop::Expr(v) - w.first[0];
  out.push_back(loop::sort(*w.list, loop::Expr(0), *w.count));
  out.push_back(loop::for_loop(p, loop::Expr(0), *w.count,
                               loop::block({loop::declare(v, loop::convert(loop::load(*w.list, p), Type::Int64)),
                                            body(v), loop::store(w.mark, at, byte(0))}),
                               options));
  out.push_back(loop::assign(*w.count, loop::Expr(0)));
}

}  // namespace lacuna

#include "lacuna/lower/nest/nest.h"

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/lower/nest/blas_call.h"
#include "lacuna/lower/nest/loop.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/pieces.h"
#include "lacuna/lower/nest/presence.h"
#include "lacuna/lower/nest/sharing.h"
#include "lacuna/lower/nest/tile.h"
#include "lacuna/lower/workspace/pattern_values.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

using concrete::Role;

/// The temporaries of a role that a producer leaves behind.
std::vector<TensorVar> targets_of(const concrete::Program& program, const concrete::Stmt& s, Role role) {
  std::vector<TensorVar> all;
  each_own_assign(s, [&](const concrete::Assign& a) {
    const bool seen = std::find(all.begin(), all.end(), a.target.tensor) != all.end();
    if (!seen && program.at(a.target.tensor).role == role) all.push_back(a.target.tensor);
  });
  return all;
}

bool declares_last(const Statements& out, const loop::Var& v) {
  const auto* last = out.empty() ? nullptr : std::get_if<loop::Declare>(&out.back()->kind);
  return last != nullptr && last->var == v;
}

void store_in_scalar(const concrete::Assign& assign, const Computed& value, const Scope& scope, Statements& out) {
  const ScalarState& s = scope.scalars.at(assign.target.tensor);
  const loop::Expr v = loop::convert(value.value, s.value.type().scalar);
  if (!assign.accumulate && !s.has && !s.structural && loop::is_true(value.present) && declares_last(out, s.value)) {
    out.back() = loop::declare(s.value, v);
    return;
  }
  Statements update{loop::assign(s.value, assign.accumulate ? loop::value_op(loop::BinaryOp::Add, s.value, v) : v)};
  if (s.has) update.push_back(loop::assign(*s.has, loop::Expr(true)));
  if (s.structural && !loop::is_false(value.structural))
    update.push_back(loop::if_then(value.structural, loop::assign(*s.structural, loop::Expr(true))));
  out.push_back(loop::if_then(value.present, loop::block(std::move(update))));
}

void add_to_workspace(Context& context, const Access& target, const Computed& value, const Scope& scope,
                      Statements& out) {
  if (const loop::Stmt said = announced(target, scope); said && !is_flagged(target.tensor, scope))
    out.push_back(loop::if_then(value.present, said));
  if (scope.tile && scope.tile->target == target.tensor) return add_to_tile(context, value, scope, out);
  const Workspace& w = *scope.workspaces.at(target.tensor);
  const loop::Expr v = loop::convert(value.value, context.program().at(target.tensor).type);
  Statements adding;
  w.add(w.key_of(target, scope), v, w.mark_of(value.structural), adding);
  out.push_back(loop::if_then(value.present, loop::block(std::move(adding))));
}

void store_value(Context& context, const Results& results, const concrete::Assign& assign, const Computed& value,
                 const Scope& scope, Statements& out) {
  if (loop::is_false(value.present)) return;
  switch (context.program().at(assign.target.tensor).role) {
    case Role::Scalar: return store_in_scalar(assign, value, scope, out);
    case Role::Workspace: return add_to_workspace(context, assign.target, value, scope, out);
    case Role::PatternValues: return store_pattern_value(context, assign, value, scope, out);
    case Role::Result:
      if (scope.tile && scope.tile->target == assign.target.tensor) return add_to_tile(context, value, scope, out);
      return results.of(assign.target.tensor).store(assign.target, assign.accumulate, value, scope, out);
    case Role::Operand: break;
  }
  throw InternalError("internal error: an operand is assigned to");
}

void lower_call(Context& context, const Results& results, const concrete::BlasCall& call, const Scope& scope,
                Statements& out) {
  if (call.leaf != concrete::Leaf::Dot) return lower_blas_call(context, results, call, scope, out);
  const DotProduct dot = lower_dot(context, results, call, scope, out);
  if (context.program().at(dot.assign.target.tensor).role == Role::Scalar)
    return store_value(context, results, dot.assign, dot.value, scope, out);
  // Others may store it in several ways.
  const loop::Var named = context.fresh("dot", dot.value.value.type());
  Statements stored{loop::declare(named, dot.value.value)};
  store_value(context, results, dot.assign, {named, loop::Expr(true), dot.value.structural}, scope, stored);
  out.push_back(loop::if_then(dot.value.present, loop::block(std::move(stored))));
}

void lower_loop(Context& context, const Results& results, const iteration::Node& node, const Scope& before,
                Statements& out) {
  const concrete::Forall& f = forall_of(node);
  const Scope scope = flag_workspaces(context, f, before, out);
  const iteration::Loop& known = context.nest().loop_of(node);
  if (known.call) return lower_call(context, results, *known.call, scope, out);
  if (known.piece && !scope.tile) {
    const Scope inside = begin_tile(context, *known.piece, scope, out);
    lower_loop(context, results, node, inside, out);
    return end_tile(context, results, *known.piece, scope, inside, out);
  }
  if (context.program().provenance.is_derived(f.var)) return lower_pieces(context, results, node, scope, out);
  OpenLoop loop(context, results, node, scope);
  if (concrete::on_threads(f.how.unit)) emit_shared(loop, out);
  else emit_loop(loop, out);
}

void lower_where(Context& context, const Results& results, const iteration::Node& node, const Scope& scope,
                 Statements& out) {
  const auto& where = std::get<concrete::Where>(node.stmt->kind);
  Scope inner = scope;
  for (const TensorVar& t : targets_of(context.program(), where.producer, Role::Scalar))
    if (inner.scalars.count(t) == 0) inner.scalars.emplace(t, declare_scalar(context, t, where, scope, out));
  std::erase_if(inner.flagged, [&](const TensorVar& t) { return assigns(where.producer, t); });
  std::vector<Workspace*> workspaces, gathering;
  const std::vector<TensorVar> made = targets_of(context.program(), where.producer, Role::Workspace);
  for (const TensorVar& t : made) {
    workspaces.push_back(inner.workspaces.at(t).get());
    workspaces.back()->begin_at(inner, out);
    workspaces.back()->clear(out);
    workspaces.back()->needs_order = workspaces.back()->is_emptied = false;
    workspaces.back()->consumer = std::get_if<concrete::Forall>(&where.consumer->kind);
  }
  for (const TensorVar& t : gathered_workspaces(context.program(), where.producer))
    if (std::find(made.begin(), made.end(), t) != made.end()) gathering.push_back(inner.workspaces.at(t).get());
  for (const TensorVar& t : targets_of(context.program(), where.producer, Role::PatternValues))
    clear_pattern_values(context, t, inner, out);
  for (Workspace* w : gathering) w->begin_gathering(out);
  lower_statement(context, results, node.children[1], inner, out);
  for (const Workspace* w : gathering) w->end_gathering(out);
  Statements consumed;
  lower_statement(context, results, node.children[0], inner, consumed);
  for (const Workspace* w : workspaces)
    if (w->needs_order) w->sort(out);
  out.insert(out.end(), consumed.begin(), consumed.end());
  for (const Workspace* w : workspaces) w->empty(out);
}

}  // namespace

void lower_statement(Context& context, const Results& results, const iteration::Node& node, const Scope& scope,
                     Statements& out) {
  concrete::match(
      node.stmt, [&](const concrete::Forall&) { lower_loop(context, results, node, scope, out); },
      [&](const concrete::Where&) { lower_where(context, results, node, scope, out); },
      [&](const concrete::Assign& a) {
        store_value(context, results, a, evaluate(context, a.rhs, scope, out), scope, out);
      },
      [&](const concrete::Sequence&) {
        for (const iteration::Node& each : node.children) {
          const loop::Expr runs = may_run(context, each.stmt, scope);
          Statements inner;
          lower_statement(context, results, each, scope, inner);
          out.push_back(loop::if_then(runs, loop::block(std::move(inner))));
        }
      });
}

}  // namespace lacuna

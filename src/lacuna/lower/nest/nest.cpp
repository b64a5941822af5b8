#include "lacuna/lower/nest/nest.h"

#include <algorithm>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/nest/blas_call.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/prefetch.h"
#include "lacuna/lower/nest/tile.h"
#include "lacuna/lower/workspace/pattern_values.h"
#include "lacuna/lower/workspace/workspace.h"
#include "lacuna/notation/parse.h"

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

/// Whether `t` occurs in `e` only under + and -, where an absent value counts as the zero it starts from.
bool only_added(const Expr& e, const TensorVar& t) {
  return match(
      e, [](const Access&) { return true; },
      [&](const Binary& b) {
        if (b.op == BinaryOp::Add || b.op == BinaryOp::Sub) return only_added(b.left, t) && only_added(b.right, t);
        for (const Access& a : accesses(e))
          if (a.tensor == t) return false;
        return true;
      },
      [&](const auto&) {
        for (const Access& a : accesses(e))
          if (a.tensor == t) return false;
        return true;
      });
}

/// Whether all results that a statement's values go to have a place for each entry that is come to, absent or not:
/// those it assigns to, or where it assigns to none, all that there are.
bool stores_all(const concrete::Program& program, const concrete::Stmt& s) {
  const bool any = assigns_result(program, s);
  const auto results = program.results();
  return std::all_of(results.begin(), results.end(), [&](const concrete::Tensor& r) {
    return r.assembly == concrete::Assembly::SharedPattern || (any && !concrete::assigns(s, r.var));
  });
}

bool declares_last(const Statements& out, const loop::Var& v) {
  const auto* last = out.empty() ? nullptr : std::get_if<loop::Declare>(&out.back()->kind);
  return last != nullptr && last->var == v;
}

bool contains(const std::vector<TensorVar>& all, const TensorVar& t) {
  return std::find(all.begin(), all.end(), t) != all.end();
}

}  // namespace

void NestLowerer::lower(const iteration::Node& node, const Scope& scope, Statements& out) {
  concrete::match(
      node.stmt, [&](const concrete::Forall&) { lower_loop(node, scope, out); },
      [&](const concrete::Where&) { lower_where(node, scope, out); },
      [&](const concrete::Assign& a) { lower_assign(a, scope, out); },
      [&](const concrete::Sequence&) {
        for (const iteration::Node& each : node.children) {
          const loop::Expr runs = may_run(context_, each.stmt, scope);
          Statements inner;
          lower(each, scope, inner);
          out.push_back(loop::if_then(runs, loop::block(std::move(inner))));
        }
      });
}

/// Says that something is added to a workspace: by its mark or, where the sums are collected first, by a variable.
loop::Stmt NestLowerer::announced(const Access& target, const Scope& scope) const {
  if (scope.tile && scope.tile->target == target.tensor)
    return scope.tile->has ? loop::assign(*scope.tile->has, loop::Expr(true)) : nullptr;
  return scope.workspaces.at(target.tensor)->announced(target, scope);
}

/// Says of workspaces that come whole that there is something in them, as far outside as that is known.
Scope NestLowerer::flag_workspaces(const concrete::Forall& f, const Scope& scope, Statements& out) {
  Scope flagged = scope;
  each_assign(f.body, [&](const concrete::Assign& a) {
    const auto w = scope.workspaces.find(a.target.tensor);
    if (w == scope.workspaces.end() || contains(flagged.flagged, a.target.tensor)) return;
    const loop::Stmt said = announced(a.target, scope);
    if (!said || !is_always_run(f, true)) return;
    const bool always = is_always_produced(a.target.tensor, f.body, scope, true);
    const std::optional<loop::Expr> present =
        always ? loop::Expr(true) : known_presence(a.target.tensor, f.body, scope);
    if (!present) return;
    out.push_back(loop::if_then(*present, said));
    flagged.flagged.push_back(a.target.tensor);
  });
  return flagged;
}

void NestLowerer::lower_loop(const iteration::Node& node, const Scope& before, Statements& out) {
  const concrete::Forall& f = forall_of(node);
  const Scope scope = flag_workspaces(f, before, out);
  const iteration::Loop& known = context_.nest().loop_of(node);
  if (known.call) return lower_call(*known.call, scope, out);
  if (known.piece && !scope.tile) {
    const Scope inside = begin_tile(context_, *known.piece, scope, out);
    lower_loop(node, inside, out);
    return end_tile(context_, results_, *known.piece, scope, inside, out);
  }
  if (context_.program().provenance.is_derived(f.var)) return lower_pieces(node, scope, out);
  LoopLowerer loop(*this, node, scope, Windows(context_, scope).of(f.var));
  const bool outermost = scope.coordinate.empty() && loop.is_whole();
  const auto is_uneven = [&] { return outermost && loop.can_be_shared() && loop.workload().is_uneven(); };
  if (f.how.unit == concrete::Unit::CpuThread && !appends_in(f) && loop.comes_to_all_nodes())
    return lower_nodes(node, scope, loop, out);
  if (f.how.unit == concrete::Unit::CpuThread && (appends_in(f) || !loop.is_counted() || is_uneven()))
    return lower_shares(f, loop, outermost, out);
  loop.lower(out);
}

/// A loop over nodes that threads share out. To find the stretches of a list takes time, so that one thread runs the
/// loop as if it were alone; the subtrees of a tree are found at once.
void NestLowerer::lower_nodes(const iteration::Node& node, const Scope& scope, LoopLowerer& loop, Statements& out) {
  if (!loop.comes_to_list()) return loop.lower_tasks(out);
  iteration::Node serial = node;
  serial.stmt = concrete::forall(forall_of(node).var, forall_of(node).body);
  Scope own = scope;
  Statements alone, after, shared;
  declare_temporaries(context_, serial.stmt, own, alone, after);
  LoopLowerer(*this, serial, own, std::nullopt).lower(alone);
  alone.insert(alone.end(), after.begin(), after.end());
  const loop::Expr pays = loop.pays_for_tasks();
  loop.lower_tasks(shared);
  out.push_back(loop::if_then(pays, loop::block(std::move(shared)), loop::block(std::move(alone))));
}

/// A loop over what was collected, or over computed values, has nothing to gallop through or to look ahead in.
void NestLowerer::refuse_directives_of_walks(const concrete::Forall& f) {
  if (f.how.prefetch > 0) refuse_to_prefetch(f);
  if (f.how.merge == concrete::Merge::Gallop)
    refuse("mergeby", "the loop over {} merges nothing, so there is nothing to gallop to; leave this directive out",
           f.var.name());
}

void NestLowerer::lower_where(const iteration::Node& node, const Scope& scope, Statements& out) {
  const auto& where = std::get<concrete::Where>(node.stmt->kind);
  Scope inner = scope;
  for (const TensorVar& t : targets_of(context_.program(), where.producer, Role::Scalar))
    if (inner.scalars.count(t) == 0) inner.scalars.emplace(t, declare_scalar(t, where, scope, out));
  std::erase_if(inner.flagged, [&](const TensorVar& t) { return assigns(where.producer, t); });
  std::vector<Workspace*> workspaces, gathering;
  const std::vector<TensorVar> made = targets_of(context_.program(), where.producer, Role::Workspace);
  for (const TensorVar& t : made) {
    workspaces.push_back(inner.workspaces.at(t).get());
    workspaces.back()->begin_at(inner, out);
    workspaces.back()->clear(out);
    workspaces.back()->needs_order = workspaces.back()->is_emptied = false;
  }
  for (const TensorVar& t : gathered_workspaces(context_.program(), where.producer))
    if (std::find(made.begin(), made.end(), t) != made.end()) gathering.push_back(inner.workspaces.at(t).get());
  for (const TensorVar& t : targets_of(context_.program(), where.producer, Role::PatternValues))
    clear_pattern_values(context_, t, inner, out);
  for (Workspace* w : gathering) w->begin_gathering(out);
  lower(node.children[1], inner, out);
  for (const Workspace* w : gathering) w->end_gathering(out);
  Statements consumed;
  inner.consumer = std::get_if<concrete::Forall>(&where.consumer->kind);
  lower(node.children[0], inner, consumed);
  for (const Workspace* w : workspaces)
    if (w->needs_order) w->sort(out);
  out.insert(out.end(), consumed.begin(), consumed.end());
  for (const Workspace* w : workspaces) w->empty(out);
}

/// Whether a loop has iterations. Pieces have some where all pieces are run through.
bool NestLowerer::is_always_run(const concrete::Forall& f, bool all_pieces) const {
  const concrete::Program& program = context_.program();
  const concrete::Derivation* d = program.provenance.replaced_by(f.var);
  const auto* split = d == nullptr ? nullptr : std::get_if<concrete::Split>(d);
  if (split != nullptr && split->in_pieces && !all_pieces) return false;  // the last pieces may be empty
  if (program.provenance.is_derived(f.var) && (!all_pieces || program.provenance.counts_positions(f.var))) return false;
  const std::vector<IndexVar> all = program.provenance.underived(f.var);
  return std::all_of(all.begin(), all.end(), [&](const IndexVar& v) { return program.extents.at(v) > 0; });
}

/// Whether some assignment to a temporary is run, with something present: its loops go through all of extents that are
/// not empty, and what it reads is dense or was found already.
bool NestLowerer::is_always_produced(const TensorVar& temporary, const concrete::Stmt& producer, const Scope& scope,
                                     bool all_pieces) const {
  using concrete::Formula;
  const concrete::Program& program = context_.program();
  return concrete::match(
      producer,
      [&](const concrete::Forall& f) {
        return is_always_run(f, all_pieces) && is_always_produced(temporary, f.body, scope, all_pieces);
      },
      [&](const concrete::Where& w) { return is_always_produced(temporary, w.consumer, scope, all_pieces); },
      [&](const concrete::Assign& a) {
        const auto found = [&](const Access& x) {
          const concrete::Tensor& t = program.at(x.tensor);
          const auto known = scope.scalars.find(x.tensor);
          if (known != scope.scalars.end() && !known->second.has) return Formula::always();
          if (t.role != Role::Operand && t.role != Role::PatternValues) return Formula::never();
          if (t.format.is_dense()) return Formula::always();
          const PathState& state = context_.state_of(x, scope);
          const bool resolved = state.level == t.format.order() && loop::is_true(state.at.present);
          return resolved ? Formula::always() : Formula::never();
        };
        return a.target.tensor == temporary && concrete::presence(a.rhs, found).is_always();
      },
      [&](const concrete::Sequence& q) {
        return std::any_of(q.statements.begin(), q.statements.end(), [&](const concrete::Stmt& s) {
          return is_always_produced(temporary, s, scope, all_pieces);
        });
      });
}

/// Whether something is added to a temporary in loops that have iterations, where that is known before them and the
/// same in all of them.
std::optional<loop::Expr> NestLowerer::known_presence(const TensorVar& temporary, const concrete::Stmt& producer,
                                                      const Scope& scope) const {
  if (const auto* f = std::get_if<concrete::Forall>(&producer->kind))
    return is_always_run(*f, true) ? known_presence(temporary, f->body, scope) : std::nullopt;
  const auto* a = std::get_if<concrete::Assign>(&producer->kind);
  if (a == nullptr || !(a->target.tensor == temporary)) return std::nullopt;
  const concrete::Program& program = context_.program();
  std::map<TensorVar, loop::Expr> known;
  for (const Access& x : accesses(a->rhs)) {
    const concrete::Tensor& t = program.at(x.tensor);
    if (t.role == Role::Workspace) {
      const Workspace& w = *scope.workspaces.at(x.tensor);
      const auto marked = w.marked_modes();
      if (!marked || !marked->empty()) return std::nullopt;
      known.emplace(x.tensor, w.is_there(x, scope));
    } else if (t.role != Role::Scalar && !t.format.is_dense()) {
      const PathState& state = context_.state_of(x, scope);
      if (state.level < t.format.order()) return std::nullopt;
    }
  }
  return may_be_present(context_, a->rhs, scope, known);
}

/// Whether a producer's loops over pieces have those inside the pieces in it, too.
bool NestLowerer::runs_all_pieces(const concrete::Stmt& producer) const {
  const concrete::Provenance& provenance = context_.program().provenance;
  std::vector<IndexVar> loops;
  concrete::each_loop(producer, [&](const concrete::Forall& f) { loops.push_back(f.var); });
  const auto is_loop = [&](const IndexVar& v) { return std::find(loops.begin(), loops.end(), v) != loops.end(); };
  return std::all_of(loops.begin(), loops.end(), [&](const IndexVar& v) {
    const std::vector<IndexVar> all = provenance.underived(v);
    return !provenance.is_derived(v) || std::all_of(all.begin(), all.end(), is_loop);
  });
}

ScalarState NestLowerer::declare_scalar(const TensorVar& temporary, const concrete::Where& where, const Scope& scope,
                                        Statements& out) {
  const concrete::Program& program = context_.program();
  const Type type = program.at(temporary).type;
  ScalarState s{context_.fresh(temporary.name(), loop::scalar_type(type)), std::nullopt, std::nullopt, false};
  out.push_back(loop::declare(s.value, loop::Expr(Scalar::zero(type))));
  bool added_to_dense = true;
  each_assign(where.consumer, [&](const concrete::Assign& a) {
    const concrete::Tensor& target = program.at(a.target.tensor);
    added_to_dense =
        added_to_dense && target.role == Role::Result && target.format.is_dense() && only_added(a.rhs, temporary);
  });
  const concrete::Structure structure = concrete::structure_of(program, temporary);
  s.always_structural = structure == concrete::Structure::Always;
  if (added_to_dense || stores_all(program, where.consumer)) return s;
  const auto flag = [&](const char* what) {
    const loop::Var f = context_.fresh(what + temporary.name(), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(f, loop::Expr(false)));
    return f;
  };
  if (!is_always_produced(temporary, where.producer, scope, runs_all_pieces(where.producer))) s.has = flag("has_");
  if (structure == concrete::Structure::Mixed) s.structural = flag("stored_");
  return s;
}

void NestLowerer::lower_call(const concrete::BlasCall& call, const Scope& scope, Statements& out) {
  if (call.leaf != concrete::Leaf::Dot) return lower_blas_call(context_, results_, call, scope, out);
  const DotProduct dot = lower_dot(context_, results_, call, scope, out);
  if (context_.program().at(dot.assign.target.tensor).role == Role::Scalar)
    return store_value(dot.assign, dot.value, scope, out);
  // Others may store it in several ways.
  const loop::Var named = context_.fresh("dot", dot.value.value.type());
  Statements stored{loop::declare(named, dot.value.value)};
  store_value(dot.assign, {named, loop::Expr(true), dot.value.structural}, scope, stored);
  out.push_back(loop::if_then(dot.value.present, loop::block(std::move(stored))));
}

void NestLowerer::lower_assign(const concrete::Assign& assign, const Scope& scope, Statements& out) {
  store_value(assign, evaluate(context_, assign.rhs, scope, out), scope, out);
}

void NestLowerer::store_value(const concrete::Assign& assign, const Computed& value, const Scope& scope,
                              Statements& out) {
  if (loop::is_false(value.present)) return;
  switch (context_.program().at(assign.target.tensor).role) {
    case Role::Scalar: return accumulate_scalar(assign, value, scope, out);
    case Role::Workspace: return accumulate_workspace(assign, value, scope, out);
    case Role::PatternValues: return store_pattern_value(context_, assign, value, scope, out);
    case Role::Result:
      if (scope.tile && scope.tile->target == assign.target.tensor) return add_to_tile(context_, value, scope, out);
      return results_.of(assign.target.tensor).store(assign.target, assign.accumulate, value, scope, out);
    case Role::Operand: break;
  }
  throw InternalError("internal error: an operand is assigned to");
}

void NestLowerer::accumulate_workspace(const concrete::Assign& assign, const Computed& value, const Scope& scope,
                                       Statements& out) {
  const Workspace& w = *scope.workspaces.at(assign.target.tensor);
  if (const loop::Stmt said = announced(assign.target, scope); said && !contains(scope.flagged, assign.target.tensor))
    out.push_back(loop::if_then(value.present, said));
  if (scope.tile && scope.tile->target == assign.target.tensor) return add_to_tile(context_, value, scope, out);
  const loop::Expr v = loop::convert(value.value, context_.program().at(assign.target.tensor).type);
  Statements adding;
  w.add(w.key_of(assign.target, scope), v, w.mark_of(value.structural), adding);
  out.push_back(loop::if_then(value.present, loop::block(std::move(adding))));
}

void NestLowerer::accumulate_scalar(const concrete::Assign& assign, const Computed& value, const Scope& scope,
                                    Statements& out) {
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

}  // namespace lacuna

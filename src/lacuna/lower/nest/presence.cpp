#include "lacuna/lower/nest/presence.h"

#include <algorithm>

#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

using concrete::Role;

/// Whether `t` occurs in `e` only under + and -, where an absent value counts as the zero it starts from.
bool only_added(const Expr& e, const TensorVar& t) {
  if (std::holds_alternative<Access>(e.node().kind)) return true;
  const auto* b = std::get_if<Binary>(&e.node().kind);
  if (b != nullptr && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub))
    return only_added(b->left, t) && only_added(b->right, t);
  const std::vector<Access> all = accesses(e);
  return std::none_of(all.begin(), all.end(), [&](const Access& a) { return a.tensor == t; });
}

/// Whether all results that a statement's values go to have a place for each entry that is visited, absent or not:
/// those it assigns to, or where it assigns to none, all that there are.
bool stores_all(const concrete::Program& program, const concrete::Stmt& s) {
  const bool any = assigns_result(program, s);
  const auto results = program.results();
  return std::all_of(results.begin(), results.end(), [&](const concrete::Tensor& r) {
    return r.assembly == concrete::Assembly::SharedPattern || (any && !concrete::assigns(s, r.var));
  });
}

/// Whether a loop has iterations. Pieces have some where all pieces are run through.
bool is_always_run(const concrete::Program& program, const concrete::Forall& f, bool all_pieces) {
  const concrete::Derivation* d = program.provenance.replaced_by(f.var);
  const auto* split = d == nullptr ? nullptr : std::get_if<concrete::Split>(d);
  if (split != nullptr && split->in_pieces && !all_pieces) return false;  // the last pieces may be empty
  if (program.provenance.is_derived(f.var) && (!all_pieces || program.provenance.counts_positions(f.var))) return false;
  const std::vector<IndexVar> all = program.provenance.underived(f.var);
  return std::all_of(all.begin(), all.end(), [&](const IndexVar& v) { return program.extents.at(v) > 0; });
}

/// Whether some assignment to a temporary is run, with something present: its loops go through all of extents that are
/// not empty, and what it reads is dense or was found already.
bool is_always_produced(const Context& context, const TensorVar& temporary, const concrete::Stmt& producer,
                        const Scope& scope, bool all_pieces) {
  using concrete::Formula;
  const concrete::Program& program = context.program();
  const auto is_produced = [&](const concrete::Stmt& s) {
    return is_always_produced(context, temporary, s, scope, all_pieces);
  };
  const auto found = [&](const Access& x) {
    const concrete::Tensor& t = program.at(x.tensor);
    const auto known = scope.scalars.find(x.tensor);
    if (known != scope.scalars.end() && !known->second.has) return Formula::always();
    if (t.role != Role::Operand && t.role != Role::PatternValues) return Formula::never();
    if (t.format.is_dense()) return Formula::always();
    const PathState& state = context.state_of(x, scope);
    const bool resolved = state.level == t.format.order() && loop::is_true(state.at.present);
    return resolved ? Formula::always() : Formula::never();
  };
  return concrete::match(
      producer, [&](const concrete::Forall& f) { return is_always_run(program, f, all_pieces) && is_produced(f.body); },
      [&](const concrete::Where& w) { return is_produced(w.consumer); },
      [&](const concrete::Assign& a) {
        return a.target.tensor == temporary && concrete::presence(a.rhs, found).is_always();
      },
      [&](const concrete::Sequence& q) { return std::any_of(q.statements.begin(), q.statements.end(), is_produced); });
}

/// Whether something is added to a temporary in loops that have iterations, where that is known before them and the
/// same in all of them.
std::optional<loop::Expr> known_presence(const Context& context, const TensorVar& temporary,
                                         const concrete::Stmt& producer, const Scope& scope) {
  if (const auto* f = std::get_if<concrete::Forall>(&producer->kind))
    return is_always_run(context.program(), *f, true) ? known_presence(context, temporary, f->body, scope)
                                                      : std::nullopt;
  const auto* a = std::get_if<concrete::Assign>(&producer->kind);
  if (a == nullptr || !(a->target.tensor == temporary)) return std::nullopt;
  const concrete::Program& program = context.program();
  std::map<TensorVar, loop::Expr> known;
  for (const Access& x : accesses(a->rhs)) {
    const concrete::Tensor& t = program.at(x.tensor);
    if (t.role == Role::Workspace) {
      const Workspace& w = *scope.workspaces.at(x.tensor);
      const auto marked = w.marked_modes();
      if (!marked || !marked->empty()) return std::nullopt;
      known.emplace(x.tensor, w.is_there(x, scope));
    } else if (t.role != Role::Scalar && !t.format.is_dense()) {
      const PathState& state = context.state_of(x, scope);
      if (state.level < t.format.order()) return std::nullopt;
    }
  }
  return may_be_present(context, a->rhs, scope, known);
}

/// Whether a producer's loops over pieces have those inside the pieces in it, too.
bool runs_all_pieces(const concrete::Provenance& provenance, const concrete::Stmt& producer) {
  std::vector<IndexVar> loops;
  concrete::each_loop(producer, [&](const concrete::Forall& f) { loops.push_back(f.var); });
  const auto is_loop = [&](const IndexVar& v) { return std::find(loops.begin(), loops.end(), v) != loops.end(); };
  return std::all_of(loops.begin(), loops.end(), [&](const IndexVar& v) {
    const std::vector<IndexVar> all = provenance.underived(v);
    return !provenance.is_derived(v) || std::all_of(all.begin(), all.end(), is_loop);
  });
}

}  // namespace

loop::Stmt announced(const Access& target, const Scope& scope) {
  if (scope.tile && scope.tile->target == target.tensor)
    return scope.tile->has ? loop::assign(*scope.tile->has, loop::Expr(true)) : nullptr;
  return scope.workspaces.at(target.tensor)->announced(target, scope);
}

bool is_flagged(const TensorVar& workspace, const Scope& scope) {
  return std::find(scope.flagged.begin(), scope.flagged.end(), workspace) != scope.flagged.end();
}

Scope flag_workspaces(Context& context, const concrete::Forall& f, const Scope& scope, Statements& out) {
  Scope flagged = scope;
  each_assign(f.body, [&](const concrete::Assign& a) {
    const auto w = scope.workspaces.find(a.target.tensor);
    if (w == scope.workspaces.end() || is_flagged(a.target.tensor, flagged)) return;
    const loop::Stmt said = announced(a.target, scope);
    if (!said || !is_always_run(context.program(), f, true)) return;
    const bool always = is_always_produced(context, a.target.tensor, f.body, scope, true);
    const std::optional<loop::Expr> present =
        always ? loop::Expr(true) : known_presence(context, a.target.tensor, f.body, scope);
    if (!present) return;
    out.push_back(loop::if_then(*present, said));
    flagged.flagged.push_back(a.target.tensor);
  });
  return flagged;
}

ScalarState declare_scalar(Context& context, const TensorVar& temporary, const concrete::Where& where,
                           const Scope& scope, Statements& out) {
  const concrete::Program& program = context.program();
  const Type type = program.at(temporary).type;
  ScalarState s{context.fresh(temporary.name(), loop::scalar_type(type)), std::nullopt, std::nullopt, false};
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
    const loop::Var f = context.fresh(what + temporary.name(), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(f, loop::Expr(false)));
    return f;
  };
  const bool all_pieces = runs_all_pieces(program.provenance, where.producer);
  if (!is_always_produced(context, temporary, where.producer, scope, all_pieces)) s.has = flag("has_");
  if (structure == concrete::Structure::Mixed) s.structural = flag("stored_");
  return s;
}

}  // namespace lacuna

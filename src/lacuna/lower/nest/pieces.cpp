#include "lacuna/lower/nest/pieces.h"

#include "lacuna/concrete/row_piece.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/nest/body.h"
#include "lacuna/lower/nest/merge.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/prefetch.h"
#include "lacuna/lower/nest/sharing.h"

namespace lacuna {
namespace {

/// What is done for one value of a derived variable.
void lower_piece(Context& context, const Results& results, const iteration::Node& node, const loop::Expr& value,
                 Scope scope, Statements& out) {
  const concrete::Forall& f = forall_of(node);
  scope.coordinate[f.var] = value;
  Statements valid_only;
  const loop::Expr valid = recover(context, f.var, scope, out);
  resolve_located(context, f.body, scope, valid_only);
  const loop::Expr runs = may_run(context, f.body, scope);
  scope.covers = scope.covers && loop::is_true(runs);
  Statements statements;
  lower_statement(context, results, node.children[0], scope, statements);
  valid_only.push_back(loop::if_then(runs, loop::block(std::move(statements))));
  out.push_back(loop::if_then(valid, loop::block(std::move(valid_only))));
}

/// The split whose outer loop this is, one after the other through all pieces, where code for whole ones is better.
const concrete::Split* fixed_split(Context& context, const concrete::Forall& f, const Scope& scope) {
  const concrete::Provenance& provenance = context.program().provenance;
  const concrete::Derivation* d = provenance.made_by(f.var);
  const auto* split = d == nullptr ? nullptr : std::get_if<concrete::Split>(d);
  const bool plain = split != nullptr && split->outer == f.var && !split->in_pieces && split->size > 1 &&
                     !provenance.is_derived(split->parent) && f.how.unit == concrete::Unit::Serial;
  return plain && !Windows(context, scope).of(f.var) && concrete::has_fixed_pieces(f.body, *split) ? split : nullptr;
}

/// First the pieces that are whole, whose loops have constant lengths; then what is left.
void lower_whole_pieces(Context& context, const Results& results, const iteration::Node& node,
                        const concrete::Split& split, const Scope& scope, Statements& out) {
  const concrete::Forall& f = forall_of(node);
  const loop::Expr extent = Windows(context, scope).extent(split.parent);
  out.push_back(loop::comment("forall " + f.var.name()));
  const loop::Var pieces = context.named(f.var.name() + "_whole", extent / loop::Expr(split.size), out);
  const loop::Var v = context.fresh_index(f.var.name());
  Scope whole = scope;
  whole.whole.push_back(f.var);
  Statements body, rest;
  lower_piece(context, results, node, v, whole, body);
  out.push_back(loop::for_loop(v, loop::Expr(0), pieces, loop::block(std::move(body))));
  lower_piece(context, results, node, pieces, scope, rest);
  out.push_back(loop::if_then(loop::Expr(pieces) * loop::Expr(split.size) < extent, loop::block(std::move(rest))));
}

}  // namespace

void lower_pieces(Context& context, const Results& results, const iteration::Node& node, const Scope& scope,
                  Statements& out) {
  const concrete::Forall& f = forall_of(node);
  if (f.how.prefetch > 0) refuse_to_prefetch(f);
  if (f.how.merge == concrete::Merge::Gallop) refuse_to_gallop(f);
  if (const concrete::Split* split = fixed_split(context, f, scope))
    return lower_whole_pieces(context, results, node, *split, scope, out);
  const Window run = Windows(context, scope).run(f.var);
  Scope inner = scope;
  loop::LoopOptions options = execution_of(context, f, inner);
  if (options.mode == loop::LoopMode::Parallel) options.grain = 1;
  const loop::Var v = context.fresh_index(f.var.name());
  const auto stretch = [&](const loop::Expr& iteration) {
    Scope at = scope;
    at.coordinate[f.var] = run.low + iteration;
    return Windows(context, at).run(context.program().provenance.underived(f.var).front());
  };
  const loop::Expr pieces = run.high - run.low;
  // Pieces differ in what they append: room for four times the average.
  const std::vector<Assembler*> appended = appended_results(results, f);
  const loop::Expr stored = !appended.empty() ? context.stored_entries() : loop::Expr(0);
  const loop::Expr entries = loop::is_constant(stored, 0) ? stored : loop::Expr(4) * stored / pieces;
  SharedResults shared(appended, {&f, pieces, entries, stretch}, out);
  Statements body;
  shared.enter(loop::Expr(v) - run.low, body);
  lower_piece(context, results, node, v, inner, body);
  shared.leave(loop::Expr(v) - run.low, body);
  out.push_back(loop::comment("forall " + f.var.name()));
  out.push_back(loop::for_loop(v, run.low, run.high, loop::block(std::move(body)), options));
  shared.after(out);
}

}  // namespace lacuna

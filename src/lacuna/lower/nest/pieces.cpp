// Loops over derived variables: pieces that a schedule asked for, and values that lie apart.

#include "lacuna/concrete/row_piece.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/parallel.h"

namespace lacuna {

/// A loop over a derived variable: it runs through pieces, or through values that lie apart.
void NestLowerer::lower_pieces(const iteration::Node& node, const Scope& scope, Statements& out) {
  const concrete::Forall& f = forall_of(node);
  refuse_directives_of_walks(f);
  if (const concrete::Split* split = fixed_split(f, scope)) return lower_whole_pieces(node, *split, scope, out);
  const Window run = Windows(context_, scope).run(f.var);
  Scope inner = scope;
  loop::LoopOptions options = execution_of(context_, f, inner);
  if (options.mode == loop::LoopMode::Parallel) options.grain = 1;
  const loop::Var v = context_.fresh_index(f.var.name());
  const auto stretch = [&](const loop::Expr& iteration) {
    Scope at = scope;
    at.coordinate[f.var] = run.low + iteration;
    return Windows(context_, at).run(context_.program().provenance.underived(f.var).front());
  };
  const loop::Expr pieces = run.high - run.low;
  // Pieces differ in what they append: room for four times the average.
  const loop::Expr stored = appends_in(f) ? context_.stored_entries() : loop::Expr(0);
  const loop::Expr entries = loop::is_constant(stored, 0) ? stored : loop::Expr(4) * stored / pieces;
  const Assembler::Sharing sharing{pieces, entries, stretch};
  Statements body;
  const std::vector<Assembler*> results = appends_in(f) ? results_.in(f.body) : std::vector<Assembler*>{};
  for (Assembler* each : results) {
    each->before_sharing(sharing, out);
    each->enter_share(body);
  }
  lower_piece(node, v, inner, body);
  for (Assembler* each : results) each->leave_share(loop::Expr(v) - run.low, body);
  out.push_back(loop::comment("forall " + f.var.name()));
  out.push_back(loop::for_loop(v, run.low, run.high, loop::block(std::move(body)), options));
  for (Assembler* each : results) each->after_sharing(sharing, out);
}

/// What is done for one value of a derived variable.
void NestLowerer::lower_piece(const iteration::Node& node, const loop::Expr& value, Scope scope, Statements& out) {
  const concrete::Forall& f = forall_of(node);
  scope.coordinate[f.var] = value;
  Statements valid_only;
  const loop::Expr valid = recover(context_, f.var, scope, out);
  resolve_located(context_, f.body, scope, valid_only);
  const loop::Expr runs = may_run(context_, f.body, scope);
  scope.covers = scope.covers && loop::is_true(runs);
  Statements statements;
  lower(node.children[0], scope, statements);
  valid_only.push_back(loop::if_then(runs, loop::block(std::move(statements))));
  out.push_back(loop::if_then(valid, loop::block(std::move(valid_only))));
}

/// The split whose outer loop this is, one after the other through all pieces, where code for whole ones is better.
const concrete::Split* NestLowerer::fixed_split(const concrete::Forall& f, const Scope& scope) const {
  const concrete::Provenance& provenance = context_.program().provenance;
  const concrete::Derivation* d = provenance.made_by(f.var);
  const auto* split = d == nullptr ? nullptr : std::get_if<concrete::Split>(d);
  const bool plain = split != nullptr && split->outer == f.var && !split->in_pieces && split->size > 1 &&
                     !provenance.is_derived(split->parent) && f.how.unit == concrete::Unit::Serial;
  return plain && !Windows(context_, scope).of(f.var) && concrete::has_fixed_pieces(f.body, *split) ? split : nullptr;
}

/// First the pieces that are whole, whose loops have constant lengths; then what is left.
void NestLowerer::lower_whole_pieces(const iteration::Node& node, const concrete::Split& split, const Scope& scope,
                                     Statements& out) {
  const concrete::Forall& f = forall_of(node);
  const loop::Expr extent = Windows(context_, scope).extent(split.parent);
  const loop::Var pieces = context_.fresh_index(f.var.name() + "_whole"), v = context_.fresh_index(f.var.name());
  out.push_back(loop::comment("forall " + f.var.name()));
  out.push_back(loop::declare(pieces, extent / loop::Expr(split.size)));
  Scope whole = scope;
  whole.whole.push_back(f.var);
  Statements body, rest;
  lower_piece(node, v, whole, body);
  out.push_back(loop::for_loop(v, loop::Expr(0), pieces, loop::block(std::move(body))));
  lower_piece(node, pieces, scope, rest);
  out.push_back(loop::if_then(loop::Expr(pieces) * loop::Expr(split.size) < extent, loop::block(std::move(rest))));
}

}  // namespace lacuna

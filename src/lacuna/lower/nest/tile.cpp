#include "lacuna/lower/nest/tile.h"

#include <algorithm>

#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/nest/presence.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// Results that are larger than what caches keep for who reads them next.
constexpr std::int64_t least_bytes = std::int64_t{1} << 24;

/// The last store of the kernel to an element: where the result is large, caches would read first what is written over,
/// and keep what nobody asks for.
loop::Stmt streamed(Context& context, const TensorVar& result, const loop::Stmt& store) {
  const loop::Var size = context.scalar(result, 0, DescriptorField::ValuesSize);
  return loop::stream(store, size >= least_bytes / size_of(context.program().at(result).type));
}

/// The workspace whose row the piece is of, where each row, or all of them together, has a mark; else null.
const Workspace* marked_workspace(const concrete::RowPiece& piece, const Scope& scope) {
  const auto w = scope.workspaces.find(piece.assign->target.tensor);
  if (w == scope.workspaces.end() || !w->second->announced(piece.assign->target, scope)) return nullptr;
  return w->second.get();
}

}  // namespace

Scope begin_tile(Context& context, const concrete::RowPiece& piece, const Scope& scope, Statements& out) {
  const concrete::Tensor& target = context.program().at(piece.assign->target.tensor);
  const concrete::Split& split = piece.split;
  const Window window = *Windows(context, scope).of(split.parent);
  const bool whole = std::find(scope.whole.begin(), scope.whole.end(), split.outer) != scope.whole.end();
  const loop::Var first = context.named(split.parent.name() + "_first", window.low, out);
  loop::Expr count(split.size);
  if (!whole) count = context.named(split.parent.name() + "_rest", window.high - loop::Expr(first), out);
  const loop::Var sums = context.fresh(target.var.name() + "_sums", loop::array_type(target.type));
  out.push_back(loop::declare_local(sums, split.size));
  Scope inside = scope;
  inside.tile = TileState{target.var, sums, split.parent, split.inner.name(), first, count, {}, {}};
  if (marked_workspace(piece, scope) != nullptr && !is_flagged(target.var, scope)) {
    inside.tile->has = context.fresh("has_" + target.var.name(), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(*inside.tile->has, loop::Expr(false)));
  }
  return inside;
}

void add_to_tile(Context& context, const Computed& value, const Scope& scope, Statements& out) {
  const loop::Expr v = loop::convert(value.value, context.program().at(scope.tile->target).type);
  out.push_back(loop::if_then(value.present, loop::store(scope.tile->sums, scope.tile->at, v, loop::StoreOp::Add)));
}

void end_tile(Context& context, const Results& results, const concrete::RowPiece& piece, const Scope& scope,
              const Scope& inside, Statements& out) {
  const TileState& tile = *inside.tile;
  const loop::Var v = context.fresh_index(tile.counter);
  Scope at = scope;
  at.coordinate[tile.along] = tile.first + loop::Expr(v);
  Statements body;
  const loop::Expr sum = loop::load(tile.sums, v);
  if (const auto w = scope.workspaces.find(tile.target); w != scope.workspaces.end()) {
    body.push_back(w->second->stored(w->second->key_of(piece.assign->target, at), sum, piece.revisited));
  } else {
    results.of(tile.target)
        .store(piece.assign->target, piece.revisited, {sum, loop::Expr(true), loop::Expr(true)}, at, body);
    const bool is_store = body.size() == 1 && std::holds_alternative<loop::Store>(body.front()->kind);
    if (is_store && !piece.revisited) body.front() = streamed(context, tile.target, body.front());
  }
  loop::LoopOptions options;
  if (std::holds_alternative<loop::Constant>(tile.count.node().kind))
    options.unroll = static_cast<int>(piece.split.size);
  Statements stored;
  if (tile.has) stored.push_back(marked_workspace(piece, scope)->announced(piece.assign->target, scope));
  stored.push_back(loop::for_loop(v, loop::Expr(0), tile.count, loop::block(std::move(body)), options));
  const loop::Expr there = tile.has ? loop::Expr(*tile.has) : loop::Expr(true);
  out.push_back(loop::if_then(there, loop::block(std::move(stored))));
}

}  // namespace lacuna

#include "lacuna/lower/tile.h"

#include <algorithm>

#include "lacuna/lower/structure.h"
#include "lacuna/lower/windows.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Split;

constexpr std::int64_t most_elements = 256;

template <typename F>
void each_loop(const concrete::Stmt& s, const F& visit) {
  concrete::match(
      s,
      [&](const Forall& f) {
        visit(f);
        each_loop(f.body, visit);
      },
      [&](const concrete::Where& w) {
        each_loop(w.consumer, visit);
        each_loop(w.producer, visit);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) each_loop(x, visit);
      });
}

bool contains(const std::vector<IndexVar>& all, const IndexVar& v) {
  return std::find(all.begin(), all.end(), v) != all.end();
}

/// The one assignment to the result in a statement, where it adds.
const concrete::Assign* only_addition(const concrete::Program& program, const concrete::Stmt& s) {
  const concrete::Assign* only = nullptr;
  bool one = true;
  each_assign(s, [&](const concrete::Assign& a) {
    if (!(a.target.tensor == program.result().var)) return;
    one = one && only == nullptr && a.accumulate;
    only = &a;
  });
  return one ? only : nullptr;
}

/// Every entry of the result's last levels has a place, whatever is stored.
bool ends_in_place(const concrete::Program& program) {
  using concrete::Assembly;
  const Format& format = program.result().format;
  return (program.assembly == Assembly::Random && format.is_dense()) ||
         (program.assembly == Assembly::SharedPattern && program.pattern_levels < format.order());
}

/// Whether all that is read at the variable is stored at every coordinate.
bool is_dense_at(const Context& context, const concrete::Stmt& s, const IndexVar& v) {
  bool dense = true;
  each_assign(s, [&](const concrete::Assign& a) {
    for (const Access& x : accesses(a.rhs)) {
      const int p = context.path_of(x);
      if (!contains(x.indices, v)) continue;
      if (p < 0) {
        dense = false;
        continue;
      }
      const std::vector<IndexVar>& variables = context.paths()[static_cast<std::size_t>(p)].variables;
      for (std::size_t k = 0; k < variables.size(); ++k)
        if (variables[k] == v)
          dense = dense && context.program().at(x.tensor).format.level(static_cast<int>(k)).kind == LevelKind::Dense;
    }
  });
  return dense;
}

/// Whether threads or lanes inside would add to the same sums.
bool is_serial(const Forall& f, const IndexVar& along) {
  bool serial = f.how.unit == concrete::Unit::Serial;
  each_loop(f.body, [&](const Forall& inner) {
    serial = serial && (inner.how.unit == concrete::Unit::Serial || inner.var == along);
  });
  return serial;
}

/// Whether the loops outside come here again with other values of what is summed, or other assignments are added.
bool is_revisited(const concrete::Program& program, const Access& target, const Scope& scope) {
  int assignments = 0;
  each_assign(program.root,
              [&](const concrete::Assign& a) { assignments += a.target.tensor == target.tensor ? 1 : 0; });
  const auto sums = [&](const auto& bound) {
    const std::vector<IndexVar> all = program.provenance.underived(bound.first);
    return std::any_of(all.begin(), all.end(), [&](const IndexVar& v) { return !contains(target.indices, v); });
  };
  return assignments > 1 || std::any_of(scope.coordinate.begin(), scope.coordinate.end(), sums);
}

}  // namespace

bool unrolls_pieces(const concrete::Stmt& s, const Split& split) {
  bool found = false;
  each_loop(s, [&](const Forall& f) { found = found || (f.var == split.parent && f.how.unroll == split.size); });
  return found;
}

std::optional<Tile> tile_of(Context& context, const Forall& f, const Scope& scope) {
  const concrete::Program& program = context.program();
  if (scope.tile || !ends_in_place(program)) return std::nullopt;
  const concrete::Assign* a = only_addition(program, f.body);
  if (a == nullptr) return std::nullopt;
  const std::vector<IndexVar> summed = program.provenance.underived(f.var);
  std::vector<IndexVar> unknown;
  for (const IndexVar& v : a->target.indices) {
    if (contains(summed, v)) return std::nullopt;
    if (scope.coordinate.count(v) == 0) unknown.push_back(v);
  }
  if (unknown.size() != 1) return std::nullopt;
  const IndexVar& along = unknown[0];
  const concrete::Derivation* d = program.provenance.replaced_by(along);
  const auto* split = d == nullptr ? nullptr : std::get_if<Split>(d);
  if (split == nullptr || split->in_pieces || split->size > most_elements || scope.coordinate.count(split->outer) == 0)
    return std::nullopt;
  if (!unrolls_pieces(f.body, *split) || !is_serial(f, along) || !is_dense_at(context, f.body, along))
    return std::nullopt;
  const Window window = *Windows(context, scope).of(along);
  const bool whole = contains(scope.whole, split->outer);
  return Tile{&a->target, *split, window.low, whole ? loop::Expr(split->size) : window.high - window.low};
}

Scope begin_tile(Context& context, const Tile& tile, const Scope& scope, Statements& out) {
  const concrete::Tensor& result = context.program().result();
  Scope inside = scope;
  const loop::Var first = context.fresh_index(tile.split.parent.name() + "_first");
  out.push_back(loop::declare(first, tile.first));
  loop::Expr count = tile.count;
  if (!std::holds_alternative<loop::Constant>(count.node().kind)) {
    const loop::Var named = context.fresh_index(tile.split.parent.name() + "_count");
    out.push_back(loop::declare(named, count));
    count = named;
  }
  const loop::Var sums = context.fresh(result.var.name() + "_sums", loop::array_type(result.type));
  out.push_back(loop::declare_local(sums, tile.split.size));
  inside.tile = TileState{sums, tile.split.parent, tile.split.inner.name(), first, count, {}};
  return inside;
}

void add_to_tile(Context& context, const Computed& value, const Scope& scope, Statements& out) {
  const loop::Expr v = loop::convert(value.value, context.program().result().type);
  out.push_back(loop::if_then(value.present, loop::store(scope.tile->sums, scope.tile->at, v, loop::StoreOp::Add)));
}

void end_tile(Context& context, Assembler& result, const Tile& tile, const Scope& scope, const Scope& inside,
              Statements& out) {
  const TileState& state = *inside.tile;
  const loop::Var v = context.fresh_index(state.counter);
  Scope at = scope;
  at.coordinate[state.along] = state.first + loop::Expr(v);
  Statements body;
  result.store(*tile.target, is_revisited(context.program(), *tile.target, scope),
               {loop::load(state.sums, v), loop::Expr(true), loop::Expr(true)}, at, body);
  loop::LoopOptions options;
  if (std::holds_alternative<loop::Constant>(state.count.node().kind))
    options.unroll = static_cast<int>(tile.split.size);
  out.push_back(loop::for_loop(v, loop::Expr(0), state.count, loop::block(std::move(body)), options));
}

}  // namespace lacuna

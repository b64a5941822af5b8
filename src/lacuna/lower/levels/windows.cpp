#include "lacuna/lower/levels/windows.h"

#include <algorithm>

#include "lacuna/concrete/level_order.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/levels/level.h"

namespace lacuna {
namespace {

using concrete::Derivation;

loop::Expr rounded_up(const loop::Expr& n, std::int64_t by) {
  return by == 1 ? n : (n + loop::Expr(by - 1)) / loop::Expr(by);
}

}  // namespace

loop::Expr Windows::first(const IndexVar& v) {
  return context_.program().provenance.is_derived(v) ? loop::Expr(0) : context_.low(v);
}

/// As block_length of support/block.h.
loop::Expr Windows::piece_length(const concrete::Split& s) {
  return s.in_pieces ? rounded_up(extent(s.parent), s.size) : loop::Expr(s.size);
}

/// A size that the schedule gives; iterations past the extent would all be empty, which is not told of small sizes.
loop::Expr Windows::limited(std::int64_t size, const IndexVar& parent) {
  constexpr std::int64_t large = std::int64_t{1} << 16;
  return size > large ? loop::min(loop::Expr(size), extent(parent)) : loop::Expr(size);
}

loop::Expr Windows::extent(const IndexVar& v) {
  const Derivation* d = context_.program().provenance.made_by(v);
  if (d == nullptr) return context_.high(v) - context_.low(v);
  return std::visit(Overloaded{[&](const concrete::Split& s) {
                                 if (v == s.inner && s.in_pieces) return piece_length(s);
                                 if (v == s.outer && !s.in_pieces) return rounded_up(extent(s.parent), s.size);
                                 return limited(s.size, s.parent);
                               },
                               [&](const concrete::Fuse& f) { return times(extent(f.outer), extent(f.inner)); },
                               [&](const concrete::Position& p) {
                                 const auto [first, last] = concrete::counted_levels(context_.program(), p);
                                 const auto path = static_cast<std::size_t>(context_.paths().of(p.access));
                                 const Window all = positions_under(context_, context_.paths()[path], first, last,
                                                                    scope_.paths[path].at);
                                 return minus(all.high, all.low);
                               },
                               [&](const concrete::Bound& b) {
                                 return b.kind == concrete::BoundKind::Exact ? loop::Expr(b.size) : extent(b.parent);
                               }},
                    *d);
}

std::optional<loop::Expr> Windows::looped(const IndexVar& v) {
  if (const auto it = scope_.coordinate.find(v); it != scope_.coordinate.end()) return it->second;
  const Derivation* d = context_.program().provenance.made_by(v);
  if (d == nullptr || std::holds_alternative<concrete::Position>(*d)) return std::nullopt;
  std::vector<loop::Expr> from;  // values of the parents, counted from 0
  for (const IndexVar& p : concrete::parents(*d)) {
    const auto x = looped(p);
    if (!x) return std::nullopt;
    from.push_back(minus(*x, first(p)));
  }
  if (const auto* f = std::get_if<concrete::Fuse>(d)) return plus(times(from[0], extent(f->inner)), from[1]);
  const auto* s = std::get_if<concrete::Split>(d);
  if (s == nullptr) return from[0];
  return v == s->outer ? from[0] / piece_length(*s) : from[0] % piece_length(*s);
}

/// The extent of the inner one of two fused variables, to divide by: a loop over a given number of pieces runs even
/// where they are empty.
loop::Expr Windows::divisor(const concrete::Fuse& f) {
  const std::vector<Derivation>& all = context_.program().provenance.all();
  const bool in_pieces = std::any_of(all.begin(), all.end(), [](const Derivation& d) {
    const auto* s = std::get_if<concrete::Split>(&d);
    return s != nullptr && s->in_pieces;
  });
  return in_pieces ? loop::max(extent(f.inner), loop::Expr(1)) : extent(f.inner);
}

std::optional<Window> Windows::of(const IndexVar& v) {
  if (const auto x = looped(v)) return Window{*x, *x + loop::Expr(1)};
  const Derivation* d = context_.program().provenance.replaced_by(v);
  if (d == nullptr) return std::nullopt;
  if (const auto* s = std::get_if<concrete::Split>(d)) return of_pieces(v, *s);
  if (const auto* b = std::get_if<concrete::Bound>(d)) {
    const auto window = of(b->bounded);
    if (!window) return std::nullopt;
    return Window{plus(first(v), window->low), plus(first(v), window->high)};
  }
  if (const auto* f = std::get_if<concrete::Fuse>(d)) return of_pairs(v, *f);
  return std::nullopt;  // positions are not coordinates
}

std::optional<Window> Windows::of_pieces(const IndexVar& v, const concrete::Split& s) {
  const auto outer = of(s.outer), inner = of(s.inner);
  if (!outer) return std::nullopt;
  const loop::Expr length = piece_length(s);
  const loop::Expr begin = plus(first(v), times(outer->low, length));
  const loop::Expr last = plus(first(v), extent(v));
  if (!inner && std::find(scope_.whole.begin(), scope_.whole.end(), s.outer) != scope_.whole.end())
    return Window{begin, begin + length, s.size};
  // One piece, or none: pieces of pieces may reach past the end.
  const auto start_of_last = [&] {
    return looped(s.outer) ? begin : plus(first(v), times(outer->high - loop::Expr(1), length));
  };
  const loop::Expr end = inner ? plus(start_of_last(), inner->high) : plus(first(v), times(outer->high, length));
  return Window{inner ? plus(begin, inner->low) : begin, loop::min(end, last)};
}

std::optional<Window> Windows::of_pairs(const IndexVar& v, const concrete::Fuse& f) {
  const auto pairs = of(f.fused);
  if (!pairs) return std::nullopt;
  const loop::Expr length = divisor(f);
  if (v == f.outer) {
    const loop::Expr end = (pairs->high + length - loop::Expr(1)) / length;
    return Window{plus(first(v), pairs->low / length), plus(first(v), end)};
  }
  auto outer = looped(f.outer);
  if (!outer && is_known(f.outer)) {
    loop::Expr valid(true);  // no need to ask: the window of invalid pairs is empty
    outer = value(f.outer, valid);
  }
  if (!outer) return std::nullopt;  // every value, while the outer one may be any
  const loop::Expr offset = times(minus(*outer, first(f.outer)), length);
  const loop::Expr low = loop::max(pairs->low - offset, loop::Expr(0)), high = loop::min(pairs->high - offset, length);
  return Window{plus(first(v), low), plus(first(v), high)};
}

Window Windows::run(const IndexVar& v) {
  if (const auto window = of(v)) return *window;
  if (!context_.program().provenance.is_derived(v)) return {context_.low(v), context_.high(v)};
  return {loop::Expr(0), extent(v)};
}

bool Windows::is_known(const IndexVar& v) const {
  return context_.program().provenance.has_coordinate(
      v, [&](const IndexVar& u) { return scope_.coordinate.count(u) > 0; });
}

loop::Expr Windows::value(const IndexVar& v, loop::Expr& valid) {
  if (const auto it = scope_.coordinate.find(v); it != scope_.coordinate.end()) return it->second;
  const Derivation& d = *context_.program().provenance.replaced_by(v);
  if (const auto* b = std::get_if<concrete::Bound>(&d)) return plus(first(v), value(b->bounded, valid));
  if (const auto* f = std::get_if<concrete::Fuse>(&d)) {
    const loop::Expr pair = value(f->fused, valid), length = divisor(*f);
    return plus(first(v), v == f->outer ? pair / length : pair % length);
  }
  const auto& s = std::get<concrete::Split>(d);
  const loop::Expr x = plus(times(value(s.outer, valid), piece_length(s)), value(s.inner, valid));
  valid = valid && x < extent(v);
  return plus(first(v), x);
}

loop::Expr recover(Context& context, const IndexVar& bound, Scope& scope, Statements& out) {
  loop::Expr all_valid(true);
  for (const IndexVar& v : context.program().provenance.underived(bound)) {
    Windows windows(context, scope);
    if (scope.coordinate.count(v) > 0 || !windows.is_known(v)) continue;
    loop::Expr valid(true);
    const loop::Expr value = windows.value(v, valid);
    const loop::Var named = context.fresh_index(v.name());
    out.push_back(loop::declare(named, value));
    scope.coordinate[v] = named;
    all_valid = all_valid && valid;
  }
  return all_valid;
}

Window positions_under(Context& context, const Path& path, int first, int last, const Handle& parent) {
  const Format& format = context.program().at(path.tensor).format;
  const LevelAt top{path, first, format.level(first)};
  Window w;
  if (top.format.full()) {
    const loop::Expr extent = context.extent(path.tensor, first);
    w.low = loop::is_constant(parent.pos, 0) ? loop::Expr(0) : parent.pos * extent;
    w.high = plus(w.low, extent);
  } else {
    const auto [begin, end] = level_code(top.format.kind).range(context, top, parent);
    w = {begin, end};
  }
  for (int k = first + 1; k <= last; ++k) {
    const LevelFormat& form = format.level(k);
    if (form.branchless()) continue;
    const auto child = [&](const loop::Expr& p) {
      return form.full() ? p * context.extent(path.tensor, k)
                         : context.element(path.tensor, k, DescriptorField::Pos, p);
    };
    w = {child(w.low), child(w.high)};
  }
  return w;
}

}  // namespace lacuna

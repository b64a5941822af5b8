#include "lacuna/concrete/row_piece.h"

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/notation/operators.h"

namespace lacuna::concrete {
namespace {

constexpr std::int64_t longest = 256;  // elements; a longer piece is no matter of registers

template <typename F>
void each_loop(const Stmt& s, const F& visit) {
  match(
      s,
      [&](const Forall& f) {
        visit(f);
        each_loop(f.body, visit);
      },
      [&](const Where& w) {
        each_loop(w.consumer, visit);
        each_loop(w.producer, visit);
      },
      [](const Assign&) {},
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) each_loop(x, visit);
      });
}

bool contains(const std::vector<IndexVar>& all, const IndexVar& v) {
  return std::find(all.begin(), all.end(), v) != all.end();
}

/// The one assignment to the result in a statement, where it adds.
const Assign* only_addition(const Program& p, const Stmt& s) {
  const Assign* only = nullptr;
  bool one = true;
  each_assign(s, [&](const Assign& a) {
    if (!(a.target.tensor == p.result().var)) return;
    one = one && only == nullptr && a.accumulate;
    only = &a;
  });
  return one ? only : nullptr;
}

/// Every entry of the result's last level has a place, whatever is stored.
bool ends_in_place(const Program& p) {
  const Format& format = p.result().format;
  return (p.assembly == Assembly::Random && format.is_dense()) ||
         (p.assembly == Assembly::SharedPattern && p.pattern_levels < format.order());
}

/// Whether all that is read at the variable is an operand that stores every coordinate.
bool is_dense_at(const Program& p, const Stmt& s, const IndexVar& v) {
  bool dense = true;
  each_assign(s, [&](const Assign& a) {
    for (const Access& x : accesses(a.rhs)) {
      const Tensor& t = p.at(x.tensor);
      for (int k = 0; k < t.format.order(); ++k)
        if (x.indices[static_cast<std::size_t>(t.format.map().mode_of(k))] == v)
          dense = dense && t.role == Role::Operand && t.format.level(k).kind == LevelKind::Dense;
    }
  });
  return dense;
}

/// Whether no threads or lanes inside would add to the same sums.
bool is_serial(const Forall& f, const IndexVar& along) {
  bool serial = f.how.unit == Unit::Serial;
  each_loop(f.body,
            [&](const Forall& inner) { serial = serial && (inner.how.unit == Unit::Serial || inner.var == along); });
  return serial;
}

bool is_revisited(const Program& p, const Access& target, const std::vector<IndexVar>& bound) {
  int assignments = 0;
  each_assign(p.root, [&](const Assign& a) { assignments += a.target.tensor == target.tensor ? 1 : 0; });
  const auto sums = [&](const IndexVar& u) {
    const std::vector<IndexVar> all = p.provenance.underived(u);
    return std::any_of(all.begin(), all.end(), [&](const IndexVar& v) { return !contains(target.indices, v); });
  };
  return assignments > 1 || std::any_of(bound.begin(), bound.end(), sums);
}

}  // namespace

bool unrolls_pieces(const Stmt& s, const Split& split) {
  bool found = false;
  each_loop(s, [&](const Forall& f) { found = found || (f.var == split.parent && f.how.unroll == split.size); });
  return found;
}

bool has_fixed_pieces(const Stmt& s, const Split& split) {
  bool found = unrolls_pieces(s, split);
  each_loop(s, [&](const Forall& f) { found = found || (f.var == split.parent && f.how.unit == Unit::CpuVector); });
  return found;
}

std::optional<RowPiece> row_piece(const Program& p, const Forall& f, const std::vector<IndexVar>& bound) {
  if (!ends_in_place(p)) return std::nullopt;
  const Assign* a = only_addition(p, f.body);
  if (a == nullptr) return std::nullopt;
  const std::vector<IndexVar> summed = p.provenance.underived(f.var);
  std::vector<IndexVar> unknown;
  for (const IndexVar& v : a->target.indices) {
    if (contains(summed, v)) return std::nullopt;
    if (!p.provenance.is_known(v, bound)) unknown.push_back(v);
  }
  if (unknown.size() != 1) return std::nullopt;
  const IndexVar& along = unknown[0];
  const Derivation* d = p.provenance.replaced_by(along);
  const auto* split = d == nullptr ? nullptr : std::get_if<Split>(d);
  if (split == nullptr || split->in_pieces || split->size > longest || !contains(bound, split->outer))
    return std::nullopt;
  if (!unrolls_pieces(f.body, *split) || !is_serial(f, along) || !is_dense_at(p, f.body, along)) return std::nullopt;
  return RowPiece{a, *split, is_revisited(p, a->target, bound)};
}

}  // namespace lacuna::concrete

#include "lacuna/concrete/row_piece.h"

#include <algorithm>

#include "lacuna/concrete/walk.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/notation/operators.h"

namespace lacuna::concrete {
namespace {

constexpr std::int64_t longest = 256;  // elements; a longer piece is no matter of registers

/// The only tensor of a role that a statement assigns to.
const TensorVar* only_target(const Program& p, const Stmt& s, Role role) {
  const TensorVar* target = nullptr;
  bool one = true;
  each_assign(s, [&](const Assign& a) {
    if (p.at(a.target.tensor).role != role) return;
    one = one && (target == nullptr || *target == a.target.tensor);
    target = &a.target.tensor;
  });
  return one ? target : nullptr;
}

/// What a statement adds to: the result, or else the one workspace that it assigns to; null where it adds to more.
const TensorVar* added_to(const Program& p, const Stmt& s) {
  return only_target(p, s, assigns_result(p, s) ? Role::Result : Role::Workspace);
}

/// The one assignment to a tensor in a statement, where it adds.
const Assign* only_addition(const Stmt& s, const TensorVar& target) {
  const Assign* only = nullptr;
  bool one = true;
  each_assign(s, [&](const Assign& a) {
    if (!(a.target.tensor == target)) return;
    one = one && only == nullptr && a.accumulate;
    only = &a;
  });
  return one ? only : nullptr;
}

/// Whether what is at an access of a workspace is there for all values of the variable or for none.
bool is_whole_along(const Program& p, const Access& a, const IndexVar& v) {
  if (!contains(a.indices, v)) return true;
  const std::vector<bool> whole = whole_modes(p, a.tensor);
  for (std::size_t m = 0; m < a.indices.size(); ++m)
    if (a.indices[m] == v && !whole[m]) return false;
  return true;
}

/// Every entry of a row along the variable has a place, whatever is stored.
bool ends_in_place(const Program& p, const Access& access, const IndexVar& along) {
  const Tensor& target = p.at(access.tensor);
  if (target.role != Role::Result) return is_whole_along(p, access, along);
  return (target.assembly == Assembly::Random && target.format.is_dense()) ||
         (target.assembly == Assembly::SharedPattern && target.pattern_levels < target.format.order());
}

/// Whether all that is read at the variable stores every coordinate, or may be there for all of them or for none.
bool is_dense_at(const Program& p, const Stmt& s, const IndexVar& v) {
  bool dense = true;
  each_assign(s, [&](const Assign& a) {
    for (const Access& x : accesses(a.rhs)) {
      const Tensor& t = p.at(x.tensor);
      for (int k = 0; k < t.format.order(); ++k)
        if (x.indices[static_cast<std::size_t>(t.format.map().mode_of(k))] == v)
          dense = dense && t.format.level(k).full();
      dense = dense && (t.role != Role::Workspace || is_whole_along(p, x, v));
    }
  });
  return dense;
}

/// Whether no threads or lanes inside would add to the same sums.
bool is_serial(const Forall& f, const TensorVar& target, const IndexVar& along) {
  bool serial = f.how.unit == Unit::Serial;
  each_loop(f.body, [&](const Forall& inner) {
    const bool adds = assigns(inner.body, target);
    serial = serial && (!adds || inner.how.unit == Unit::Serial || inner.var == along);
  });
  return serial;
}

/// Whether no loop inside cuts the piece of a row once more.
bool is_run_whole(const Program& p, const Stmt& s, const IndexVar& along) {
  bool whole = true;
  each_loop(s, [&](const Forall& f) {
    whole = whole && (f.var == along || !contains(p.provenance.underived(f.var), along));
  });
  return whole;
}

/// The loops of a workspace's producer: others come to it anew.
std::vector<IndexVar> producing_loops(const Stmt& s, const TensorVar& workspace) {
  std::vector<IndexVar> loops;
  match(
      s, [&](const Forall& f) { loops = producing_loops(f.body, workspace); },
      [&](const Where& w) {
        if (produces(w.producer, workspace)) each_loop(w.producer, [&](const Forall& f) { loops.push_back(f.var); });
        else loops = producing_loops(assigns(w.producer, workspace) ? w.producer : w.consumer, workspace);
      },
      [](const Assign&) {},
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements)
          if (assigns(x, workspace)) loops = producing_loops(x, workspace);
      });
  return loops;
}

}  // namespace

bool is_revisited(const Program& p, const Access& target, const std::vector<IndexVar>& known) {
  std::vector<IndexVar> bound = known;
  if (p.at(target.tensor).role != Role::Result) {
    const std::vector<IndexVar> loops = producing_loops(p.root, target.tensor);
    std::erase_if(bound, [&](const IndexVar& v) { return !contains(loops, v); });
  }
  int assignments = 0;
  each_assign(p.root, [&](const Assign& a) { assignments += a.target.tensor == target.tensor ? 1 : 0; });
  const auto sums = [&](const IndexVar& u) {
    const std::vector<IndexVar> all = p.provenance.underived(u);
    return std::any_of(all.begin(), all.end(), [&](const IndexVar& v) { return !contains(target.indices, v); });
  };
  return assignments > 1 || std::any_of(bound.begin(), bound.end(), sums);
}

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
  const TensorVar* target = added_to(p, f.body);
  const Assign* a = target == nullptr ? nullptr : only_addition(f.body, *target);
  if (a == nullptr) return std::nullopt;
  const std::vector<IndexVar> summed = p.provenance.underived(f.var);
  std::vector<IndexVar> unknown;
  for (const IndexVar& v : a->target.indices) {
    if (contains(summed, v)) return std::nullopt;
    if (!p.provenance.is_known(v, bound)) unknown.push_back(v);
  }
  if (unknown.size() != 1) return std::nullopt;
  const IndexVar& along = unknown[0];
  if (!ends_in_place(p, a->target, along)) return std::nullopt;
  const Derivation* d = p.provenance.replaced_by(along);
  const auto* split = d == nullptr ? nullptr : std::get_if<Split>(d);
  if (split == nullptr || split->in_pieces || split->size > longest || !contains(bound, split->outer))
    return std::nullopt;
  if (!unrolls_pieces(f.body, *split) || !is_run_whole(p, f.body, along) || !is_serial(f, *target, along) ||
      !is_dense_at(p, f.body, along))
    return std::nullopt;
  return RowPiece{a, *split, is_revisited(p, a->target, bound)};
}

}  // namespace lacuna::concrete

#include "lacuna/schedule/complete/append_order.h"

#include <algorithm>

#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Program;

/// Whether the loops so far hold all pieces that the one over `v` lies in.
bool is_inside_its_pieces(const Program& p, const IndexVar& v, const std::vector<IndexVar>& outside) {
  const concrete::Derivation* d = p.provenance.made_by(v);
  if (d == nullptr) return true;
  const auto* s = std::get_if<concrete::Split>(d);
  if (s != nullptr && v == s->inner && !contains(outside, s->outer)) return false;
  return is_inside_its_pieces(p, concrete::parents(*d).front(), outside);
}

}  // namespace

std::optional<std::vector<IndexVar>> append_order(const Program& p, const std::vector<IndexVar>& block) {
  std::optional<std::vector<IndexVar>> order;
  bool lexicographic = true;
  tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
    if (!(a.target.tensor == p.result().var)) return;
    std::vector<IndexVar> variables, outside;
    const auto above_block = [&](const IndexVar& v) { return contains(a.target.indices, v) && !contains(block, v); };
    for (const Forall* f : loops) {
      const std::vector<IndexVar> all = p.provenance.underived(f->var);
      if (!block.empty() && std::none_of(all.begin(), all.end(), above_block)) break;
      // The last loop of a variable is over itself: a strided piece comes to its values in another order.
      lexicographic = lexicographic && all.size() == 1 && is_inside_its_pieces(p, f->var, outside);
      outside.push_back(f->var);
      if (!variables.empty() && variables.back() == all[0]) continue;
      lexicographic = lexicographic && !contains(variables, all[0]);
      variables.push_back(all[0]);
    }
    for (const IndexVar& v : variables) lexicographic = lexicographic && contains(outside, v);
    if (order && *order != variables) lexicographic = false;
    order = variables;
  });
  return lexicographic ? order : std::nullopt;
}

bool comes_to_whole_blocks(const Program& p, const std::vector<IndexVar>& block) {
  bool whole = true;
  tree::each_assignment(p.root, [&](const Assign& a, const std::vector<const Forall*>& loops) {
    if (!(a.target.tensor == p.result().var)) return;
    const auto above_block = [&](const IndexVar& v) { return contains(a.target.indices, v) && !contains(block, v); };
    std::vector<IndexVar> outside;
    for (const Forall* f : loops) {
      const std::vector<IndexVar> all = p.provenance.underived(f->var);
      if (!std::all_of(all.begin(), all.end(), above_block)) break;
      outside.push_back(f->var);
    }
    for (const IndexVar& v : a.target.indices)
      whole = whole && (contains(block, v) || p.provenance.is_known(v, outside));
  });
  return whole;
}

bool appendable(const Format& f) {
  int k = 0;
  while (k < f.order() && f.level(k).full()) ++k;
  const int first = k;
  while (k < f.order() && f.level(k).packed() && f.level(k).unique) ++k;
  if (k == first) return false;
  while (k < f.order() && f.level(k).full()) ++k;
  return k == f.order();
}

}  // namespace lacuna

#include "lacuna/concrete/provenance.h"

#include <algorithm>

namespace lacuna::concrete {
namespace {

/// `more` without what `list` has already.
void append_new(std::vector<IndexVar>& list, const std::vector<IndexVar>& more) {
  for (const IndexVar& v : more)
    if (!contains(list, v)) list.push_back(v);
}

}  // namespace

std::vector<IndexVar> parents(const Derivation& d) {
  return std::visit(Overloaded{[](const Fuse& f) {
                                 return std::vector<IndexVar>{f.outer, f.inner};
                               },
                               [](const auto& other) { return std::vector<IndexVar>{other.parent}; }},
                    d);
}

std::vector<IndexVar> made(const Derivation& d) {
  return std::visit(Overloaded{[](const Split& s) {
                                 return std::vector<IndexVar>{s.outer, s.inner};
                               },
                               [](const Fuse& f) { return std::vector<IndexVar>{f.fused}; },
                               [](const Position& p) { return std::vector<IndexVar>{p.position}; },
                               [](const Bound& b) { return std::vector<IndexVar>{b.bounded}; }},
                    d);
}

const Derivation* Provenance::replaced_by(const IndexVar& v) const {
  for (const Derivation& d : derivations_)
    if (contains(parents(d), v)) return &d;
  return nullptr;
}

const Derivation* Provenance::made_by(const IndexVar& v) const {
  for (const Derivation& d : derivations_)
    if (contains(made(d), v)) return &d;
  return nullptr;
}

bool Provenance::counts_positions(const IndexVar& v) const {
  const Derivation* d = made_by(v);
  if (d == nullptr) return false;
  if (std::holds_alternative<Position>(*d)) return true;
  const std::vector<IndexVar> from = parents(*d);
  return std::any_of(from.begin(), from.end(), [&](const IndexVar& p) { return counts_positions(p); });
}

std::vector<IndexVar> Provenance::underived(const IndexVar& v) const {
  const Derivation* d = made_by(v);
  if (d == nullptr) return {v};
  std::vector<IndexVar> all;
  for (const IndexVar& p : parents(*d)) append_new(all, underived(p));
  return all;
}

std::vector<IndexVar> Provenance::leaves(const IndexVar& v) const {
  const Derivation* d = replaced_by(v);
  if (d == nullptr) return {v};
  std::vector<IndexVar> all;
  for (const IndexVar& m : made(*d)) append_new(all, leaves(m));
  return all;
}

bool Provenance::is_known(const IndexVar& v, const std::vector<IndexVar>& loops) const {
  if (contains(loops, v)) return true;
  const Derivation* d = replaced_by(v);
  if (d == nullptr) return false;
  const std::vector<IndexVar> all = made(*d);
  return std::all_of(all.begin(), all.end(), [&](const IndexVar& m) { return is_known(m, loops); });
}

bool Provenance::has_coordinate(const IndexVar& v, const std::function<bool(const IndexVar&)>& is_bound) const {
  if (is_bound(v)) return true;
  const Derivation* d = replaced_by(v);
  if (d == nullptr || std::holds_alternative<Position>(*d)) return false;
  const std::vector<IndexVar> all = made(*d);
  return std::all_of(all.begin(), all.end(), [&](const IndexVar& m) { return has_coordinate(m, is_bound); });
}

}  // namespace lacuna::concrete

#include "lacuna/schedule/cost/space.h"

#include <algorithm>
#include <cmath>

#include "lacuna/concrete/level_order.h"

namespace lacuna::cost {
namespace {

double rounded_up(double n, std::int64_t by) { return std::ceil(n / static_cast<double>(by)); }

}  // namespace

Space Space::with(const IndexVar& var) const {
  Space more = *this;
  more.bound_.push_back(var);
  return more;
}

bool Space::knows(const IndexVar& var) const {
  return program_->provenance.has_coordinate(var, [&](const IndexVar& v) { return contains(bound_, v); });
}

double Space::extent(const IndexVar& var) const {
  const concrete::Derivation* d = program_->provenance.made_by(var);
  if (d == nullptr) return static_cast<double>(program_->extents.at(var));
  return std::visit(
      Overloaded{[&](const concrete::Split& s) {
                   const double parent = extent(s.parent);
                   const bool counted = s.in_pieces == (var == s.outer);
                   return counted ? static_cast<double>(s.size) : rounded_up(parent, s.size);
                 },
                 [&](const concrete::Fuse& f) { return extent(f.outer) * extent(f.inner); },
                 [&](const concrete::Position& p) {
                   const auto [first, last] = concrete::counted_levels(*program_, p);
                   const TensorCount& count = counts_->at(p.access.tensor.name());
                   const double parents = first == 0 ? 1 : count.levels[static_cast<std::size_t>(first - 1)].entries;
                   return count.levels[static_cast<std::size_t>(last)].entries / std::max(1.0, parents);
                 },
                 [&](const concrete::Bound& b) {
                   return b.kind == concrete::BoundKind::Exact ? static_cast<double>(b.size) : extent(b.parent);
                 }},
      *d);
}

bool Space::narrows(const IndexVar& var) const {
  const concrete::Derivation* d = program_->provenance.replaced_by(var);
  if (d == nullptr) return false;
  const std::vector<IndexVar> from = concrete::made(*d);
  return std::any_of(from.begin(), from.end(), [&](const IndexVar& m) { return contains(bound_, m) || narrows(m); });
}

/// The turns of loops over derived variables, inside one another. One whose values are narrowed by others takes turns
/// with them: their numbers add up.
double Space::pieces(const std::vector<IndexVar>& pending) const {
  double product = 1, more = 0;
  for (const IndexVar& v : pending) {
    if (narrows(v)) more += extent(v);
    else product *= extent(v);
  }
  return product + more;
}

double Space::size() const {
  double total = 1;
  for (const auto& [v, extent] : program_->extents)
    if (knows(v)) total *= static_cast<double>(extent);
  // Pieces whose variables are not all known yet: where some are, as the rows of a stretch of positions, those take
  // turns with the pieces.
  std::vector<IndexVar> left;
  for (const IndexVar& v : bound_)
    if (program_->provenance.is_derived(v)) left.push_back(v);
  while (!left.empty()) {
    const std::vector<IndexVar> from = program_->provenance.underived(left.back());
    std::vector<IndexVar> same, other;
    for (const IndexVar& v : left) (program_->provenance.underived(v) == from ? same : other).push_back(v);
    left = other;
    double known = 1;
    bool all_known = true, any_known = false;
    for (const IndexVar& v : from) {
      all_known = all_known && knows(v);
      any_known = any_known || knows(v);
      if (knows(v)) known *= static_cast<double>(program_->extents.at(v));
    }
    if (all_known) continue;
    total *= any_known && known > 0 ? (known + pieces(same)) / known : pieces(same);
  }
  return total;
}

}  // namespace lacuna::cost

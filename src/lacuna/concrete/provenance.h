#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/concrete/execution.h"
#include "lacuna/notation/expr.h"

namespace lacuna::concrete {

// How loop variables come from one another (Senanayake et al., OOPSLA 2020, section 4). Each derivation takes the loops
// of its parents away and gives new ones; the values of the parents follow from those of the children.

/// parent = outer*n + inner: pieces of `size` iterations, or (`in_pieces`) `size` pieces of equal length.
struct Split {
  IndexVar parent, outer, inner;
  std::int64_t size = 1;
  bool in_pieces = false;
};
/// fused runs over the pairs (outer, inner) in lexicographic order.
struct Fuse {
  IndexVar outer, inner, fused;
};
/// position counts the entries that a level of `access` stores for parent (or, for a fused parent, the last of its
/// levels); each tells its coordinate.
struct Position {
  IndexVar parent, position;
  Access access;
};
/// parent under another name, with a promise about its extent, checked when the kernel is run.
struct Bound {
  IndexVar parent, bounded;
  std::int64_t size = 0;
  BoundKind kind = BoundKind::Exact;
};

using Derivation = std::variant<Split, Fuse, Position, Bound>;

/// Every derivation of a schedule, oldest first. Variables form a forest of trees whose roots are the statement's.
class Provenance {
 public:
  void add(Derivation derivation) { derivations_.push_back(std::move(derivation)); }
  const std::vector<Derivation>& all() const { return derivations_; }
  bool empty() const { return derivations_.empty(); }

  /// The derivation that took v's loop away; null while v may have a loop itself.
  const Derivation* replaced_by(const IndexVar& v) const;
  /// The derivation that made v; null for a variable of the statement.
  const Derivation* made_by(const IndexVar& v) const;
  bool is_derived(const IndexVar& v) const { return made_by(v) != nullptr; }

  /// Whether v counts positions of a tensor, or pieces of such a count.
  bool counts_positions(const IndexVar& v) const;

  /// The variables of the statement that v ranges over, outermost first: i for a piece of i; i, j for what they were
  /// fused into.
  std::vector<IndexVar> underived(const IndexVar& v) const;
  /// The variables that have loops instead of v: v itself while nothing is derived from it.
  std::vector<IndexVar> leaves(const IndexVar& v) const;
  /// Whether loops over these variables say what v is: one over v itself, or all of those that replace it.
  bool is_known(const IndexVar& v, const std::vector<IndexVar>& loops) const;
  /// Whether values that are bound say which coordinate v has. Positions do not: it comes from the loops that walk
  /// them.
  bool has_coordinate(const IndexVar& v, const std::function<bool(const IndexVar&)>& is_bound) const;

 private:
  std::vector<Derivation> derivations_;
};

/// What a derivation is made from, and what it makes.
std::vector<IndexVar> parents(const Derivation& d);
std::vector<IndexVar> made(const Derivation& d);
/// In a line, for people; equal derivations of variables of equal names have equal lines.
std::string to_string(const Derivation& d);

}  // namespace lacuna::concrete

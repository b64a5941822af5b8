#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "lacuna/reference/program.h"

namespace lacuna::reference {

/// "This tensor stores an entry at the coordinate that these slots hold."
struct Stored {
  const CoordinateMap* entries = nullptr;
  std::vector<int> slots;
  bool operator==(const Stored&) const = default;
  bool operator<(const Stored& other) const { return std::tie(entries, slots) < std::tie(other.entries, other.slots); }
};

/// All of these are stored; empty is true everywhere.
using Conjunct = std::set<Stored>;

/// A disjunctive normal form that holds wherever the expression is present (semantics.md, "Absence"). It may hold at
/// other points, too: evaluating the expression there says that it is absent. No conjunct contains another.
std::vector<Conjunct> presence(const Program& program);

}  // namespace lacuna::reference

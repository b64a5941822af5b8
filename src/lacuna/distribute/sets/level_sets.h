#pragma once

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

// How sets of positions go from level to level (SpDISTAL, section IV-B and Table I), for arrays of every kind.
// Positions are those of the storage; the root above level 0 has the single position 0.

/// The image of `parents`: the positions of a level that belong to them, exist (slots and bytes of absent entries do
/// not), and have one of the coordinates.
IndexSet children_of(const Storage& storage, int level, const IndexSet& parents, const IndexSet& coordinates);

/// The preimage of `children`, positions of a level: the positions above that lead to any of them.
IndexSet parents_of(const Storage& storage, int level, const IndexSet& children);

/// The coordinates that these positions of a level store.
IndexSet coordinates_at(const Storage& storage, int level, const IndexSet& positions);

/// From the least coordinate of these positions of level 0 to the greatest.
Interval outermost_coordinates(const Storage& storage, const IndexSet& positions);

}  // namespace lacuna

#pragma once

#include <optional>

#include "bench/contest/contestant.h"

namespace lacuna::contest {

/// The sum of two csr matrices that are kept in Abseil's B-tree maps from (row, column) to values, as a new map: the
/// two are gone through side by side, and what comes is put at the end of the new one. None without Abseil.
std::optional<Contestant> abseil_union(const Storage& b, const Storage& c);

/// Edges added to such a map of a csr matrix, one after the other.
std::optional<Contestant> abseil_inserts(const Storage& graph, const CoordinateList& edges);

}  // namespace lacuna::contest

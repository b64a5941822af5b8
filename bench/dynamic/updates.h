#pragma once

#include <string>

#include "bench/dynamic/kernels.h"

namespace lacuna::contest {

/// The matrix in a format with nodes, its entries inserted one after the other in random order.
Storage grown(Engine& engine, const Storage& matrix, const Format& format);

/// A million random edges inserted into a graph, in batches of one, a thousand and a million: into nodes, into a map of
/// entries and, all at once, by rebuilding csr. Says whether all agreed.
bool race_inserts(const Setting& setting);

}  // namespace lacuna::contest

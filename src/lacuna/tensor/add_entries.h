#pragma once

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Adds entries, whose coordinates lie inside, to those of a tensor of dense levels; integers wrap. In place where
/// nobody else holds the values, else in a copy of them. `entries` hold the tensor's type.
void add_entries(Storage& dense, const CoordinateList& entries);

/// The same, but each takes the place of what is there.
void put_entries(Storage& dense, const CoordinateList& entries);

}  // namespace lacuna

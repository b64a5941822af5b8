#pragma once

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// How many times as long as usual the rows are that hold most of what a compressed level stores: about 1 where entries
/// are scattered evenly, however few, and above 3 where some rows have most of them. It looks at two hundred positions,
/// whatever the size, so that one long row among many is found only if it has about a tenth of the entries. 0 where it
/// is not known: of other levels, and of empty ones.
double unevenness_of(const LevelFormat& format, const LevelStorage& level);

}  // namespace lacuna

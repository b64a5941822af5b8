#pragma once

#include "lacuna/distribute/parts/new_numbers.h"
#include "lacuna/distribute/sets/runs.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

struct FilteredEntries {
  LevelStorage level;
  Array values;
};

/// The entries of an innermost, compressed level, with values below, whose coordinates are kept, under their new
/// numbers, in the order in which they are: each is copied, and written over by the next one if it is not kept, so that
/// nothing is to be guessed for coordinates that are kept here and there. `parents`: the positions above that are kept.
FilteredEntries filtered(const LevelStorage& level, const Array& values, const Runs& parents,
                         const NewNumbers& numbers);

}  // namespace lacuna

#pragma once

#include <cstdint>

#include "lacuna/tensor/entries.h"

namespace lacuna {

/// Sorted, distinct entries cut into runs: entries of one run agree in their first `columns` columns, and neighbouring
/// runs do not. The runs are the nodes of a level that is being built.
struct EntryRuns {
  int columns = 0;
  std::int64_t count = 1;
  bool single = false;  // every entry is a run
  Array starts;         // where each run starts, and the end; none where `single`
  Array steps;          // UInt64 words: bit e % 64 of word e / 64 tells that entry e starts a run; none where `single`

  /// All entries in one run, even where there are none.
  static EntryRuns whole(std::int64_t entries);
};

/// Runs cut into smaller ones by further columns.
struct FinerRuns {
  EntryRuns runs;
  Array coordinates;  // of each run, in the first column that was added
  Array bounds;  // of position_type(runs.count): the runs that former run n was cut into are [bounds[n], bounds[n+1])
};

/// Cuts `above` by its next columns, up to `last` inclusive. Where each entry becomes a run, its arrays are shared.
FinerRuns refine(const Entries& entries, const EntryRuns& above, int last, int threads);

/// The element of a column at the start of each run.
Array first_of_runs(const Array& column, const EntryRuns& runs);

}  // namespace lacuna

#pragma once

#include <vector>

#include "lacuna/compile/engine/compiler.h"

namespace lacuna {

/// What a tensor holds at some coordinates.
struct FoundEntries {
  Array values;   // of the tensor's type; zero where nothing is stored
  Array present;  // UInt8: 1 where an entry is stored
};

/// Looks entries up, each by the levels' own `find`: `columns` are their coordinates by level, of the types that the
/// levels have (Entries of tensor/entries.h), and inside. The format updates_in_place (dynamic/kernels/update.h).
/// Throws Error where a level's file has no `find`.
FoundEntries find_entries(Compiler& engine, const Storage& tensor, const std::vector<Array>& columns,
                          const Options& options = {});

/// Makes the kernel of that, which the first call would make otherwise.
void prepare_lookup(Compiler& engine, const Storage& tensor, const Options& options = {});

}  // namespace lacuna

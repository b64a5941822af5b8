#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/tensor/storage.h"

// Where entries live, by the words of docs/reference/machines.md: entry by entry, with lists of everything, and
// nothing in common with how the library does it.
namespace lacuna::testing {

struct StoredEntry {
  std::vector<std::int64_t> coordinate;  // by mode
  std::vector<std::int64_t> position;    // by level, its number in that order
  double value = 0;
};

/// Every entry, in the order of coordinates as levels store them.
std::vector<StoredEntry> stored_entries(const Storage& tensor);

/// The colour of each of the entries.
std::vector<std::int64_t> colours_by_definition(const Storage& tensor, const std::vector<StoredEntry>& entries,
                                                const Distribution& distribution);

}  // namespace lacuna::testing

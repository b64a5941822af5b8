#pragma once

#include "lacuna/tensor/storage.h"

namespace lacuna {

enum class Edit : std::uint8_t {
  Assign,  // the entries of the list are stored, instead of those that have their coordinates
  Erase    // the entries that have coordinates of the list are taken out
};

/// A tensor's entries after an edit.
struct EditedEntries {
  CoordinateList entries;
  std::int64_t changed = 0;  // entries that are new; of Erase, that were there
};

/// Edits the entries of a tensor of any format by a list of coordinates and values, of which the last counts where
/// coordinates are there twice; Erase does not look at the values. Takes as long as building the tensor. Throws Error
/// where a coordinate lies outside.
EditedEntries edited_entries(const Storage& tensor, const CoordinateList& list, Edit edit, int threads = 1);

}  // namespace lacuna

#pragma once

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// A dense part of zeros.
LocalPart dense_part(const std::vector<IndexSet>& region, const PartShape& shape);

/// Writes what `from` holds of the region of `to` there, or adds it to what is there. Both are dense, of one type, and
/// stored in the same order of modes. Neighbours move together.
void copy_into(const LocalPart& from, LocalPart& to);
void add_into(const LocalPart& from, LocalPart& to);

}  // namespace lacuna

#pragma once

#include <optional>

#include "lacuna/distribute/part/local_part.h"

namespace lacuna {

/// Of a sparse part, rows (what is stored under coordinates of the outermost level) that follow each other and store
/// nothing but some coordinates of a mode below: they can be used where they lie, as if the part had these coordinates
/// and rows only. So a matrix is multiplied with the vector's entries that a processor has, and no entry is copied.
class RowsWithin {
 public:
  /// Of the coordinates `within` of a mode, the rows with most entries; none where that is less than 15 of 16 entries
  /// of the part, or where it cannot be told quickly: the mode is that of a compressed level, ordered and below the
  /// outermost one, there is a compressed level right below that, the others are dense, compressed or singleton, and
  /// `within` are neighbours among the part's coordinates.
  static std::optional<RowsWithin> of(const LocalPart& part, int mode, const IndexSet& within);

  /// The part with these rows alone, all others being empty, and with values that lie as its own do, whose memory it
  /// shares until it is asked for with others.
  const Storage& in(const Array& values);
  /// The rows that are left out, by their coordinates in the whole.
  const IndexSet& others() const { return others_; }

 private:
  RowsWithin(Storage storage, const Interval& values, IndexSet others)
      : storage_(std::move(storage)), values_(values), others_(std::move(others)) {}

  Storage storage_;
  Interval values_;  // of the part's
  IndexSet others_;
};

}  // namespace lacuna

#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// Of a sparse part, rows (what is stored under coordinates of the outermost level) that follow each other and store
/// nothing but some coordinates of a mode below: they can be used where they lie, as if the part had these coordinates
/// and rows only. So a matrix is multiplied with the vector's entries that a processor has, and its values are not
/// copied; nor are coordinates, unless those of the mode begin elsewhere than at 0 and have to be counted from there.
class RowsWithin {
 public:
  /// Of the coordinates `within` of a mode, the rows that have most; none where the others have more than a sixteenth
  /// of what is stored at the mode's level, or where it cannot be told quickly: that level is compressed and ordered,
  /// the outermost one is dense, or compressed, ordered and unique, the next one is compressed, all others are dense,
  /// compressed or singleton, and `within` are neighbours among the part's coordinates.
  static std::optional<RowsWithin> of(const LocalPart& part, int mode, const IndexSet& within);

  /// These rows of a part that is stored alike, but for its values, all other rows being empty. Shares its memory
  /// until it is asked for with another one.
  const Storage& in(const Storage& part);
  /// The rows that are left out, by their coordinates in the whole; they need not store anything.
  const IndexSet& others() const { return others_; }

 private:
  RowsWithin() = default;

  Storage storage_ = {};
  std::vector<Interval> positions_ = {};  // of the part, by level; of the outermost one, all
  int renumbered_ = -1;                   // the level that has coordinates of its own, if one has
  IndexSet others_ = {};
};

}  // namespace lacuna

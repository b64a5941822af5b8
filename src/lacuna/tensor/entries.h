#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/format/format.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/sort.h"

namespace lacuna {

/// A coordinate list seen by a format: one column a level, outermost first, each of coordinate_type(extent).
struct Entries {
  std::vector<std::int64_t> extents;  // by level
  std::vector<Array> columns;
  Array values;
  LevelMap map;
  std::int64_t size() const { return values.size(); }
};

/// Checks a list from outside (counts, types, ranges) and lays it out by level. Arrays are shared where their width is
/// right.
Entries entries_by_level(const CoordinateList& list, const Format& format);

/// Throws Error unless the dimensions are sizes that a tensor of this order can have.
void check_dimensions(const std::vector<std::int64_t>& dimensions, int order);

/// Sorts by the columns and merges equal coordinates: summed in the order given, in the promoted type, or refused with
/// Error. Nothing is copied when there is nothing to do.
void sort_and_coalesce(Entries& entries, Duplicates duplicates, int threads);

/// Merges neighbours with equal coordinates (of sorted entries).
void coalesce(Entries& entries, Duplicates duplicates);

/// Throws the Error for a coordinate that is given several times.
[[noreturn]] void refuse_duplicates(const std::string& coordinate, std::int64_t times);

/// Removes the entries whose value equals `fill`.
void drop_values(Entries& entries, const Scalar& fill);

/// "(3, 4)": the coordinate of entry e by mode, as messages show it.
std::string coordinate_text(const Entries& entries, std::int64_t e);

}  // namespace lacuna

#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/schedule/problem/problem.h"

/// What a scheduled statement costs, before it is compiled: a function of the loops and of how many entries each level
/// stores.
namespace lacuna::cost {

/// The children of one level, over all its parents.
struct LevelCount {
  double positions = 0;  // elements of its arrays, gaps of bitmaps and hash tables included
  double entries = 0;    // those that hold something
  double reach = 0;      // how far apart the coordinates of neighbouring parents are; 0: nobody knows
};

/// What estimates know of the entries of a tensor.
struct TensorCount {
  std::vector<LevelCount> levels;
  bool assumed = false;  // nothing is known: a handful of entries a row
};

/// By name, as the program reads them.
using Counts = std::map<std::string, TensorCount>;

/// A tensor of this format and these extents (by level) with so many entries, spread evenly.
TensorCount spread_evenly(const Format& format, const std::vector<double>& extents, double entries);

/// How many entries are expected of a tensor that stores none, as one does of which only the format is known, by that
/// and its extents (of its modes, in any order): eight a row, but no more than 2^26 where no level is dense or a
/// bitmap.
double assumed_entries(const Format& format, const std::vector<double>& extents);

/// The counts of all operands that a scheduled program reads, copies included. `stored` says how many entries operands
/// have that are known to somebody who read them, by name: facts do not tell entries from the gaps of bitmaps and hash
/// tables. Where a tensor is empty, as one is of which only the format is known, a handful of entries a row are
/// assumed.
Counts count_operands(const Scheduled& scheduled, const ScheduleProblem& problem,
                      const std::map<std::string, double>& stored = {});

}  // namespace lacuna::cost

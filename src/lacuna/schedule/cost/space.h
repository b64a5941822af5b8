#pragma once

#include <vector>

#include "lacuna/schedule/cost/counts.h"

namespace lacuna::cost {

/// The points that loops run through before anything is found absent: extents of variables of the statement, and pieces
/// of those that loops outside have cut up but not bound yet.
class Space {
 public:
  Space(const concrete::Program& program, const Counts& counts) : program_(&program), counts_(&counts) {}
  /// The space with one more loop.
  Space with(const IndexVar& var) const;
  double size() const;
  /// The variables that have loops.
  const std::vector<IndexVar>& bound() const { return bound_; }
  /// How many values a loop over the variable runs through when nothing outside narrows it.
  double extent(const IndexVar& var) const;
  /// Whether the loops say what the variable is.
  bool knows(const IndexVar& var) const;
  /// Whether loops over pieces of the variable leave only some of its values to one over itself.
  bool narrows(const IndexVar& var) const;

 private:
  double pieces(const std::vector<IndexVar>& pending) const;

  const concrete::Program* program_;
  const Counts* counts_;
  std::vector<IndexVar> bound_;
};

}  // namespace lacuna::cost

#pragma once

#include <vector>

#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/levels/windows.h"

namespace lacuna {

/// How the work of a loop lies over its coordinates, as far as the positions of its operands tell.
struct Workload {
  struct Operand {
    LevelAt at;  // the level that the loop goes through: dense, or walked by a cursor
    Handle parent;
    int counted;  // the last level, this one or below, whose positions say how much is stored under a coordinate
  };
  std::vector<Operand> operands;
  bool every_coordinate = false;  // the loop computes at every coordinate, not only at those that operands store
  bool even = true;               // loops inside go through entries that are counted, or through whole extents
  bool from_head = false;         // it walks a list, so that each share is found from its head
  bool leaps = false;             // it gallops: how long it takes is up to the operand that stores least
  loop::Expr turns_an_entry{1};   // of the loops over whole extents

  /// Whether no loop inside goes through more than the entries that are counted.
  bool counts_all() const { return even && loop::is_constant(turns_an_entry, 1); }
  /// Whether coordinates that the loop comes to differ in what is stored under them.
  bool is_uneven() const;
};

/// The last level that counts entries under those of `at`: the loops inside go through the levels between in order.
int counted_level(const Context& context, const Scope& scope, const LevelAt& at);

/// The coordinates of one share.
Window coordinates_of(const Shares& shares, const loop::Expr& share);

/// In how many shares threads do so much work: as many for each thread, few enough that each is worth the time it takes
/// to be dealt out; one where starting threads is not.
loop::Expr number_of_shares(Context& context, const loop::Expr& entries, const Workload& work);

/// Emits what cuts `run`, the coordinates of a loop over `var`, into shares of about equal work, some for each thread.
/// The cuts are found by binary search in the positions of the operands, so they cost about the logarithm of the work
/// a share. `whole`: the operands store nothing outside `run`. The caller releases the cuts.
Shares cut_by_work(Context& context, const IndexVar& var, const Window& run, bool whole, const Workload& work,
                   Statements& out);

}  // namespace lacuna

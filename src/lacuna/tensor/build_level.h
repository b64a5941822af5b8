#pragma once

#include <cstdint>

#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/entry_runs.h"

namespace lacuna {

/// Builds a tensor's levels one by one, outermost first, from sorted unique entries. The nodes of a level are the runs
/// of entries that share its coordinate and those above; each has a position there.
class LevelBuilder {
 public:
  LevelBuilder(const Entries& entries, const Format& format, int threads);

  /// Builds the next level.
  LevelStorage add();
  /// The values of the last level's positions, `fill` where there is no entry.
  Array values(const Scalar& fill);

 private:
  /// Calls f with a callable that gives the position of a run.
  template <typename F>
  void with_positions(F&& f) const;
  /// Cuts the runs by the coordinates of this level to `last`; coordinates are this level's.
  FinerRuns cut(int last);

  LevelStorage dense();
  LevelStorage bitmap();
  LevelStorage compressed();
  LevelStorage singleton();
  LevelStorage hashed();
  /// child = parent*extent + coordinate.
  void move_to_dense_children();
  /// The pos of a compressed level whose runs' positions ascend.
  Array spread(const Array& bounds) const;
  /// pos and crd of a compressed level whose parents come in any order (slots of a hash table).
  void scatter(const FinerRuns& finer, LevelStorage& level);
  /// The first unique level from this one on, or the last level: nonunique levels share the positions of their chain.
  int chain_end() const;
  /// Cuts the runs by a singleton's coordinates, which must leave them as they are; returns these.
  Array check_single_child();

  const Entries& entries_;
  const Format& format_;
  int threads_;
  int level_ = 0;
  EntryRuns runs_;
  std::int64_t span_ = 1;       // positions of the level above
  std::int64_t reachable_ = 1;  // those of them that belong to an entry, or to a dense span of one
  bool listed_ = false;         // false: run n has position n
  bool ascending_ = true;       // positions never descend from run to run: so until a hashed level
  Array positions_;             // of each run, where listed_
};

}  // namespace lacuna

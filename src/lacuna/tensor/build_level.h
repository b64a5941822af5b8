#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/tensor/entries.h"

namespace lacuna {

/// Builds a tensor's levels one by one, outermost first, from sorted unique entries. After level k, `position(e)` is
/// the child position of entry e at level k; entries that share a prefix are neighbours and share the position.
class LevelBuilder {
 public:
  LevelBuilder(const Entries& entries, const Format& format);

  /// Builds the next level.
  LevelStorage add();
  /// The values of the last level's positions, `fill` where there is no entry.
  Array values(const Scalar& fill);

 private:
  /// Where entry e is at the level above: at 0, at e, at its coordinate in the outermost column, or at positions_[e].
  enum class Shape : std::uint8_t { Root, Identity, Column, Listed };

  /// Calls f with a callable that gives the position of an entry at the level above.
  template <typename F>
  void with_parents(F&& f) const;
  /// Calls f with the parents as above and the coordinates of this level.
  template <typename F>
  void with_parents_and_coordinates(F&& f) const;
  /// The positions of this level, to be written entry by entry (in place over the parents').
  std::span<std::int64_t> listed();

  LevelStorage dense();
  LevelStorage bitmap();
  LevelStorage compressed();
  LevelStorage singleton();
  LevelStorage hashed();
  /// child = parent*extent + coordinate.
  void move_to_dense_children();
  /// The first unique level from this one on, or the last level: nonunique levels share the positions of their chain.
  int chain_end() const;
  /// Calls f with a predicate: does entry e, at this level, have another child position than entry e-1 under the same
  /// parent? A level that is not unique has one position for each distinct coordinate of its whole chain.
  template <typename F>
  void with_steps(F&& f) const;
  /// Counts each parent's children: element p+1 of the result; element 0 is 0.
  Array count_children(std::int64_t& total) const;
  [[noreturn]] void refuse_singleton(std::int64_t e) const;

  const Entries& entries_;
  const Format& format_;
  std::int64_t size_;
  int level_ = 0;
  std::int64_t span_ = 1;       // positions of the level above
  std::int64_t reachable_ = 1;  // those of them that belong to an entry, or to a dense span of one
  Shape shape_ = Shape::Root;
  bool ascending_ = true;  // positions never descend from entry to entry: so until a hashed level
  Array positions_;
};

}  // namespace lacuna

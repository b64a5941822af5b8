#pragma once

#include <optional>
#include <vector>

#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/support/interval.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Some of what a level stores, that comes one after the other: positions of a tensor in whole, or a stretch of one
/// that is held by parts; neither where it is empty, or is all between two coordinates.
struct CountedPiece {
  std::optional<IndexSet> positions = {};
  std::optional<Stretch> stretch = {};
  Interval outermost = {};  // the coordinates of the outermost level that it reaches

  /// Cuts a part of the tensor down to this. `mode` is that of the outermost level.
  void limit(Restriction& part, int level, std::size_t mode) const;
};

/// Counts what levels of a tensor store, and finds pieces of equal counts (`~`).
class PositionCounter {
 public:
  virtual ~PositionCounter() = default;
  PositionCounter() = default;
  PositionCounter(const PositionCounter&) = delete;
  PositionCounter& operator=(const PositionCounter&) = delete;

  /// How many positions of a level lead to an entry of a part. No coordinates are stored twice.
  virtual std::int64_t count(const Restriction& part, int level) = 0;
  /// Of those that were counted last, these, by their number in the order of their coordinates, level by level.
  virtual std::vector<CountedPiece> pieces(const std::vector<Interval>& ranks) = 0;
};

/// Of a tensor in whole, which outlives this.
class WholeCounter : public PositionCounter {
 public:
  explicit WholeCounter(const Storage& tensor) : tensor_(tensor) {}
  std::int64_t count(const Restriction& part, int level) override;
  std::vector<CountedPiece> pieces(const std::vector<Interval>& ranks) override;

 private:
  IndexSet numbered(const Interval& numbers) const;

  const Storage& tensor_;
  IndexSet counted_;
  std::vector<std::int64_t> in_order_;  // the same, unless the storage is in this order
  int level_ = 0;
};

/// Where nobody knows yet what is stored: coordinates of the outermost level count instead.
class BlockCounter : public PositionCounter {
 public:
  explicit BlockCounter(const Format& format) : mode_(format.order() == 0 ? 0 : format.map().mode_of(0)) {}
  std::int64_t count(const Restriction& part, int level) override;
  std::vector<CountedPiece> pieces(const std::vector<Interval>& ranks) override;

 private:
  int mode_;
  IndexSet counted_;
};

}  // namespace lacuna

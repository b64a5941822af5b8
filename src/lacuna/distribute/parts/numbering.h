#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// The coordinates of a set, which outlives it, by their rank.
class Coordinates {
 public:
  /// `lookups`: how many there will be, about. A table is as large as the set, which may have much more than is stored.
  Coordinates(const IndexSet& set, std::int64_t lookups) : set_(&set), is_interval_(set.is_interval()) {
    first_ = set.bounds().begin;
    if (is_interval_ || set.size() > 8 * lookups) return;
    table_.reserve(static_cast<std::size_t>(set.size()));
    set.for_each_interval([&](const Interval& run) {
      for (std::int64_t i = run.begin; i < run.end; ++i) table_.push_back(i);
    });
  }
  std::int64_t operator[](std::int64_t rank) const {
    if (is_interval_) return first_ + rank;
    return table_.empty() ? set_->number(rank) : table_[static_cast<std::size_t>(rank)];
  }

 private:
  const IndexSet* set_;
  bool is_interval_;
  std::int64_t first_;
  std::vector<std::int64_t> table_;
};

/// The rank of a coordinate in a set, where it is there.
class Ranks {
 public:
  explicit Ranks(const IndexSet& set) : set_(set), bounds_(set.bounds()), is_interval_(set.is_interval()) {}
  std::optional<std::int64_t> of(std::int64_t coordinate) const {
    if (!bounds_.contains(coordinate)) return std::nullopt;
    if (is_interval_) return coordinate - bounds_.begin;
    if (!set_.contains(coordinate)) return std::nullopt;
    return set_.rank(coordinate);
  }

 private:
  const IndexSet& set_;
  Interval bounds_;
  bool is_interval_;
};

/// Of coordinates of a part that has a set of them, the ranks in a region, or -1 where they are not there.
std::vector<std::int64_t> ranks_in(const IndexSet& part, const IndexSet& region, const Array& coordinates);

}  // namespace lacuna

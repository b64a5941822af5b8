#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/partition/index_set.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// The coordinates of a set by their rank, looked up in constant time.
class Coordinates {
 public:
  explicit Coordinates(const IndexSet& set) : first_(set.bounds().begin) {
    if (set.is_interval()) return;
    all_.reserve(static_cast<std::size_t>(set.size()));
    set.for_each_interval([&](const Interval& run) {
      for (std::int64_t i = run.begin; i < run.end; ++i) all_.push_back(i);
    });
  }
  std::int64_t operator[](std::int64_t rank) const {
    return all_.empty() ? first_ + rank : all_[static_cast<std::size_t>(rank)];
  }

 private:
  std::int64_t first_;
  std::vector<std::int64_t> all_;  // empty where they are an interval
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

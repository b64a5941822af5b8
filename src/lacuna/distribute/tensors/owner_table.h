#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

/// Finds the part of a placement that an entry is in, by its coordinates. Parts are boxes of sets of coordinates, of
/// which any two along a mode are the same or have nothing in common; or stretches of entries that follow each other.
class OwnerTable {
 public:
  OwnerTable(const TensorPlacement& placement, const LevelMap& map);

  /// `coordinate(m)` is the one of mode m.
  template <typename F>
  std::size_t part_of(F&& coordinate) const {
    if (!stretches_.empty()) return part_of_stretch(coordinate);
    std::size_t box = 0;
    for (std::size_t m = 0; m < modes_.size(); ++m) box = box * modes_[m].sets + modes_[m].set_of(coordinate(m));
    return part_of_box_[box];
  }

 private:
  /// The sets of coordinates of a mode: which one each coordinate is in, or, if that takes less memory, each interval
  /// of them, one after the other; or the sets, where they are dealt out in very many blocks.
  struct Mode {
    explicit Mode(const std::vector<const IndexSet*>& distinct);
    std::size_t set_of(std::int64_t coordinate) const;

    std::size_t sets;
    std::vector<std::int64_t> begins = {};  // of intervals, if those are kept
    std::vector<std::uint32_t> set = {};    // by interval or coordinate
    std::vector<IndexSet> dealt = {};
  };

  template <typename F>
  std::size_t part_of_stretch(F&& coordinate) const {
    const auto at_level = [&](std::size_t k) { return coordinate(mode_of_level_[k]); };
    const auto ends_before = [&](const auto& each) { return each.first.ends_before(at_level); };
    return std::partition_point(stretches_.begin(), stretches_.end(), ends_before)->second;
  }

  std::vector<Mode> modes_;
  std::vector<std::size_t> part_of_box_;
  std::vector<std::pair<Stretch, std::size_t>> stretches_;  // and their parts, in order
  std::vector<std::size_t> mode_of_level_;
};

}  // namespace lacuna
